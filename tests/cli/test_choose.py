"""`warmer choose`: what to label next, and when to stop."""

import csv
import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from warmer import ModelChoice, create_study
from warmer.choice import Absolute


@pytest.fixture
def files(tmp_path: Path):
    """A file of predictions, and a function that labels points in a second file as a person would."""
    rng = np.random.default_rng(0)
    truth = rng.integers(3, size=200)
    names = np.array(["cat", "cow", "dog"])
    models = {
        f"model {k}": np.where(rng.random(200) < 0.5 + k / 10, truth, rng.integers(3, size=200)) for k in range(5)
    }
    with (tmp_path / "predictions.csv").open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["point", *models])
        writer.writerows([f"p{i}", *(names[row[i]] for row in models.values())] for i in range(200))
    lines = ["point,label"]

    def label(points: list[str]) -> None:
        lines.extend(f"{point},{names[truth[int(point[1:])]]}" for point in points)
        (tmp_path / "labels.csv").write_text("\n".join(lines))

    label([])
    accuracies = {name: float((row == truth).mean()) for name, row in models.items()}
    return label, accuracies


COMMAND = ("choose", "predictions.csv", "--labels", "labels.csv", "--epsilon", "0.05")


def test_running_the_same_command_after_each_batch_ends_in_a_proof(warmer, files):
    label, accuracies = files
    for _ in range(40):
        form = warmer(*COMMAND, "--json").form
        if form["is_proven"]:
            break
        assert form["label_next"]
        label(form["label_next"])
    assert form["is_proven"]
    assert form["label_next"] == []
    assert accuracies[form["leader"]] >= max(accuracies.values()) - 0.05
    assert 0 < form["n_labels"] < 200
    said = warmer(*COMMAND)
    assert said.code == 0
    assert f"Proven: '{form['leader']}' is within 0.05 of the best on the pool" in " ".join(said.out.split())


def test_half_a_batch_is_asked_for_again(warmer, files):
    label, _ = files
    first = warmer(*COMMAND, "--json").form["label_next"]
    assert len(first) == 10
    label(first[3:])
    assert warmer(*COMMAND, "--json").form["label_next"] == first[:3]


def test_labels_that_were_never_asked_for_count_as_known(warmer, files):
    label, _ = files
    form = warmer(*COMMAND, "--json").form
    label([f"p{i}" for i in range(200)])
    after = warmer(*COMMAND, "--json").form
    assert form["label_next"]
    assert after["is_proven"]


def test_without_labels_it_says_where_to_begin(warmer, files):
    said = warmer("choose", "predictions.csv", "--batch", "3")
    assert said.code == 0
    assert "5 models, 200 points, 0 labels; 0 ruled out." in said.out
    assert "Label next: p" in said.out
    assert "more labels to go, probably" in " ".join(said.out.split())


def test_a_label_file_that_is_not_there_yet_means_no_labels(warmer, files, tmp_path):
    empty = warmer(*COMMAND, "--json").form
    (tmp_path / "labels.csv").unlink()
    said = warmer(*COMMAND, "--json")
    assert said.code == 0
    assert said.err == "labels.csv does not exist yet: no labels. Make it, with the columns point and label.\n"
    assert said.form == empty
    assert "Label next: p" in warmer(*COMMAND).out


def test_labels_for_a_study_must_be_in_a_file_that_is_there(warmer, files, tmp_path):
    study = (*COMMAND[:2], "--study", "pets", "--storage", "sqlite:///lab.db", "--labels", "nothing.csv")
    assert "nothing.csv: there is no such file; check the path." in warmer(*study).err


def test_a_parquet_file_with_an_index_of_points(warmer, tmp_path):
    frame = pd.DataFrame({"tree": [0, 1], "forest": [1, 1]}, index=["left", "right"])
    frame.to_parquet(tmp_path / "predictions.parquet")
    (tmp_path / "labels.csv").write_text("point,label\nleft,1\n")
    form = warmer("choose", "predictions.parquet", "--labels", "labels.csv", "--epsilon", "0", "--json").form
    assert form["leader"] == "forest"
    assert form["is_certain"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("predictions.csv", "", "the file is empty"),
        ("predictions.csv", "point,a,b\n", "the file has no points"),
        ("predictions.csv", "point,a,b\n1,x\n", "line 2 has 2 cells, but line 1 has 3"),
        ("predictions.csv", "point,a,b\n1,x,\n", "line 2: model 'b' predicts nothing"),
        ("predictions.csv", "point,a,a\n1,x,y\n", "two models have the same name"),
        ("predictions.csv", "point,a,b\n1,x,y\n1,x,y\n", "the point label 1 is used twice"),
        ("labels.csv", "id,class\n", "the first line must name the columns point and label, got id, class"),
        ("labels.csv", "point,label\n9,cat\n", "line 2: there is no point '9' among the predictions"),
        ("labels.csv", "point,label\np1,horse\n", "there is no class 'horse'"),
        ("labels.csv", "point,label\np1,cat\np1,dog\n", "line 3: point 'p1' has another label on line 2"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused_in_one_line(warmer, files, tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    said = warmer(*COMMAND)
    assert said.code == 2
    assert message in said.err
    assert said.err.count("\n") == 1


def test_a_file_that_is_not_there_or_not_a_table_is_refused(warmer, files, tmp_path):
    assert "there is no such file" in warmer("choose", "nothing.csv").err
    (tmp_path / "predictions.txt").write_text("x")
    assert "the suffix must be one of .csv, .xlsx, .parquet" in warmer("choose", "predictions.txt").err
    (tmp_path / "predictions.parquet").write_text("x")
    assert "not a whole Parquet table" in warmer("choose", "predictions.parquet").err


def test_a_study_keeps_points_and_labels_for_several_people(warmer, files):
    label, accuracies = files
    study = ("--study", "pets", "--storage", "sqlite:///lab.db", "--labels", "labels.csv", "--json")
    ada = warmer(*COMMAND[:2], *study, "--worker", "Ada", "--batch", "4").form["label_next"]
    bob = warmer("choose", *study, "--worker", "Bob", "--batch", "4").form["label_next"]
    assert len({*ada, *bob}) == 8
    assert warmer("choose", *study, "--worker", "Ada", "--batch", "4").form["label_next"] == ada
    label(ada + bob)
    for _ in range(60):
        form = warmer("choose", *study).form
        if form["is_proven"]:
            break
        label(form["label_next"])
    assert accuracies[form["leader"]] >= max(accuracies.values()) - 0.05


def test_a_label_that_was_changed_in_the_file_is_refused_without_a_reason(warmer, files, tmp_path):
    study = (*COMMAND[:2], "--study", "pets", "--storage", "sqlite:///lab.db", "--labels", "labels.csv")
    (tmp_path / "labels.csv").write_text("point,label\np3,cat\n")
    assert warmer(*study, "--json").form["n_labels"] == 1
    (tmp_path / "labels.csv").write_text("point,label\np3,dog\n")
    refused = warmer(*study)
    assert refused.code == 2
    assert "point 'p3' has the label 'cat' already" in " ".join(refused.err.split())
    assert warmer(*study, "--correct", "wrong button", "--json").form["n_labels"] == 1
    assert warmer(*study, "--json").code == 0, "the file and the log agree now"


def test_a_study_that_does_not_exist_needs_predictions_and_options_of_a_study_need_one(warmer, files):
    assert "a file of predictions is needed" in warmer("choose").err
    assert "for labels in a study; name it with --study" in " ".join(warmer(*COMMAND, "--worker", "Ada").err.split())


def test_what_was_drawn_is_kept_beside_the_labels_so_that_the_next_run_draws_nothing_anew(warmer, files, tmp_path):
    label, _ = files
    first = warmer(*COMMAND, "--json").form["label_next"]
    assert warmer(*COMMAND, "--json").form["label_next"] == first
    kept = (tmp_path / "labels.csv.draws.jsonl").read_text().splitlines()
    assert [json.loads(line)["point"] for line in kept[1:]] == first
    label([*first[1:], next(f"p{i}" for i in range(200) if f"p{i}" not in first)])
    assert warmer(*COMMAND, "--json").form["label_next"] == first[:1]
    label(first[:1])
    form = warmer(*COMMAND, "--json").form
    assert form["n_labels"] == 11
    assert set(form["label_next"]).isdisjoint(first)
    kept = [json.loads(line)["frame"] for line in (tmp_path / "labels.csv.draws.jsonl").read_text().splitlines()[1:]]
    assert kept[10] == "", "what nobody asked for is known, and no draw"
    assert any(kept[:10])


def test_a_label_that_is_taken_out_of_the_file_is_asked_for_again(warmer, files, tmp_path):
    label, _ = files
    first = warmer(*COMMAND, "--json").form["label_next"]
    label(first)
    assert warmer(*COMMAND, "--json").form["n_labels"] == 10
    lines = (tmp_path / "labels.csv").read_text().splitlines()
    (tmp_path / "labels.csv").write_text("\n".join([lines[0], *lines[2:]]))
    assert warmer(*COMMAND, "--json").form["label_next"][0] == first[0]


def test_with_a_seed_the_terminal_warns_and_keeps_nothing(warmer, files, tmp_path):
    first, again = (warmer(*COMMAND, "--seed", "3", "--json") for _ in range(2))
    assert first.form == again.form
    assert "With a seed the draws can be foretold" in first.err
    assert list(tmp_path.glob("*.jsonl")) == []
    assert warmer(*COMMAND, "--json").err == ""


def test_points_that_are_not_kept_are_said_to_be_so(warmer, files, tmp_path):
    said = " ".join(warmer("choose", "predictions.csv").out.split())
    assert "These points are not kept. Name a file for labels with --labels" in said
    assert "not kept" not in warmer(*COMMAND).out
    assert list(tmp_path.glob("predictions*.jsonl")) == []


def test_draws_of_another_choice_and_a_damaged_file_are_refused_in_one_line(warmer, files, tmp_path):
    warmer(*COMMAND)
    refused = warmer(*COMMAND[:4], "--epsilon", "0.1")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "line 1 is not one of this choice (it was begun with other predictions, epsilon, delta" in refused.err
    with (tmp_path / "labels.csv.draws.jsonl").open("a") as stream:
        stream.write('{"point": "p999", "frame": ""}\n')
    refused = warmer(*COMMAND)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "line 12 is not one of this choice (there is no point 'p999'" in refused.err


def test_a_draw_that_was_cut_off_on_its_way_to_the_disk_was_shown_to_nobody(warmer, files, tmp_path):
    first = warmer(*COMMAND, "--json").form["label_next"]
    path = tmp_path / "labels.csv.draws.jsonl"
    path.write_bytes(path.read_bytes()[:-4])
    again = warmer(*COMMAND, "--json").form["label_next"]
    assert again == first[:9]
    assert len(path.read_text().splitlines()) == 10


def test_labels_that_wait_for_a_point_are_said_in_place_of_a_forecast(warmer, files):
    label, _ = files
    first, *others = warmer(*COMMAND, "--json").form["label_next"]
    label(others)
    form = warmer(*COMMAND, "--json").form
    assert (form["n_labels_waiting"], form["waits_for"]) == (9, first)
    out = " ".join(warmer(*COMMAND).out.split())
    assert (
        f"Labels count in the order of the draws: 9 labels wait for the label of point '{first}': label it first."
        in out
    )
    assert "more labels to go" not in out
    label([first])
    out = " ".join(warmer(*COMMAND).out.split())
    assert "wait for" not in out
    assert "to go, probably" in out


def test_labels_of_a_study_that_wait_for_a_ticket_are_said(warmer, files):
    label, _ = files
    study = ("choose", "predictions.csv", "--study", "pets", "--labels", "labels.csv", "--worker", "Ada")
    first, *others = warmer(*study, "--json").form["label_next"]
    label(others)
    out = " ".join(warmer(*study).out.split())
    assert f"9 labels wait for the label of point '{first}' (ticket 1, Ada): tell it, or release the ticket" in out


def test_what_is_printed_of_an_accuracy_is_an_interval_that_holds_it_and_why_it_is_wide(warmer, files):
    label, accuracies = files
    for _ in range(3):
        label(warmer(*COMMAND, "--json").form["label_next"])
    form = warmer(*COMMAND, "--json").form
    assert form["measure"] == "accuracy"
    assert all(each["low"] <= accuracies[each["model"]] <= each["high"] for each in form["standings"])
    assert not any("estimate" in each for each in form["standings"])
    said = " ".join(warmer(*COMMAND).out.split())
    assert "accuracy between" in said
    assert "estimated" not in said
    assert f"Draws avoid the points on which all models agree, {form['n_agreed']} of 200 without a label" in said
    for name, low, high in re.findall(r"(model \d) ([\d.]+) and ([\d.]+)", said):
        assert float(low) <= accuracies[name] <= float(high)


def test_a_study_with_costs_shows_losses_and_no_accuracies(warmer, files, tmp_path):
    choice = ModelChoice({"low": [1.0, 2.0, 3.0], "high": [9.0, 8.0, 3.0]}, epsilon=1, loss=Absolute(0, 10))
    with create_study("sizes", choice, storage="sqlite:///lab.db") as study:
        study.tell(0, 2.0)
    said = warmer("choose", "--study", "sizes", "--storage", "sqlite:///lab.db")
    assert "loss between" in said.out
    form = warmer("choose", "--study", "sizes", "--storage", "sqlite:///lab.db", "--json").form
    assert form["measure"] == "loss"
    assert {each["accuracy_on_labels"] for each in form["standings"]} == {None}
    low = next(each for each in form["standings"] if each["model"] == "low")
    assert low["low"] == pytest.approx(1 / 3)
