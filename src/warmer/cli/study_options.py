"""What `warmer study`, and whoever else works on a study, is told: every argument and option once."""

from typing import Annotated

import typer

from warmer.cli.options import option, real

Name = Annotated[str, typer.Argument(metavar="NAME", help="The study.")]
Query = Annotated[str, typer.Argument(metavar="QUERY", help="The label of the query.")]
Reward = Annotated[float, typer.Argument(metavar="REWARD", parser=real("reward"), help="The reward.")]
EventNumber = Annotated[int, typer.Argument(metavar="EVENT", help="The number of the answer in the log.")]
Storage = Annotated[
    str | None,
    option(
        "URL",
        "sqlite:///FILE or postgresql://USER@HOST/DATABASE; by default what WARMER_STORAGE says, else "
        "sqlite:///warmer.db.",
    ),
]
Author = Annotated[str | None, option("WHO", "Who says so; by default user@machine.")]
Key = Annotated[str | None, option("KEY", "Makes it safe to repeat the command: it counts once.")]
Reason = Annotated[str, option("WHY", "Why; it stays in the log.")]
TicketNumber = Annotated[int | None, option("N", "Its ticket; by default the oldest open one for the query.")]
Outside = Annotated[
    str,
    option(
        "refuse|keep",
        "Whether answers beyond the reward range are refused, or kept, as sub-gaussian and gaussian noise permit.",
    ),
]
Unit = Annotated[str | None, option("UNIT", "What rewards are measured in, such as mg/l; for people.")]
