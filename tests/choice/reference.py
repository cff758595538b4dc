"""Choosing a model, as the proof has it: every number from its definition.

`docs/choosing-a-model.md` is the proof. Losses are 0 and 1 or a table `cost[prediction][label]`; the log is a list of
(point, label, covers), covers being the models that the frame covered when the point was drawn at random, else None.
"""

import math

FRACTIONS = [0.08, 0.2, 0.4, 0.65, 0.9]
TRUSTS = [0.0, 0.5, 1.0]
RATES = [0.0, 0.05, 0.1, 0.2, 0.4, 0.8]
SHARPNESSES = [1.0, 2.0]


class SlowRace:
    """`predictions[point][model]`; `n_labels` kinds of label, the first of which are the predictions themselves."""

    def __init__(self, predictions, cost, epsilon, delta, weight=None):
        self.predictions, self.cost, self.epsilon, self.delta = predictions, cost, epsilon, delta
        self.points, self.models = range(len(predictions)), range(len(predictions[0]))
        self.weight = weight or [1.0] * len(cost[0])
        self.log = []
        self.kinds = {}  # by number of labels: looking for it anew each time would take minutes
        self.beaten = {}
        self.dismissed = set()
        self.reserve = {(h, t, f): 1 / 15 for h in self.models for t in TRUSTS for f in FRACTIONS}
        self.accounts = {}
        self.draws = []  # of each random draw: how many points it was from, and each model's forecast and residual
        self.out = set()
        self.incumbent = 0
        self.appoint(self.leader())

    def loss(self, model, point, label):
        return self.cost[self.predictions[point][model]][label]

    def difference(self, model, leader, point, label):
        return self.loss(model, point, label) - self.loss(leader, point, label)

    def open_points(self):
        labelled = {point for point, _, _ in self.log}
        return [point for point in self.points if point not in labelled]

    def labels(self):
        return range(len(self.cost[0]))

    def may_differ(self, model, leader, point):
        return any(self.difference(model, leader, point, label) != 0 for label in self.labels())

    def differing(self, model, leader):
        return [point for point in self.open_points() if self.may_differ(model, leader, point)]

    def known(self, model, upto=None):
        return sum(self.loss(model, point, label) for point, label, _ in self.log[:upto])

    def margin(self):
        seen = sum(self.weight[label] for _, label, _ in self.log)
        return self.epsilon * (seen + min(self.weight) * len(self.open_points()))

    # --- the forecast: a weighted vote, its kind chosen by how well it foretold each label from those before it

    def vote(self, point, rate, sharpness, upto):
        least = min(self.known(model, upto) for model in self.models)
        shares = [0.0] * len(self.cost[0])
        for model in self.models:
            prediction = self.predictions[point][model]
            weight = math.exp(-rate * (self.known(model, upto) - least))
            if prediction < len(shares) and weight > 1e-6:
                shares[prediction] += weight
        powers = [share**sharpness for share in shares]
        return [power / sum(powers) for power in powers]

    def kind(self):
        def score(kind):
            head_start = 3.0 if kind == (0.1, 1.0) else 0.0
            chances = [self.vote(p, *kind, upto)[label] for upto, (p, label, _) in enumerate(self.log)]
            return head_start + sum(math.log(0.999 * chance + 0.001) for chance in chances)

        return max([(rate, sharpness) for rate in RATES for sharpness in SHARPNESSES], key=score)

    def expected(self, model, point):
        if len(self.log) not in self.kinds:
            self.kinds[len(self.log)] = self.kind()
        chances = self.vote(point, *self.kinds[len(self.log)], len(self.log))
        return sum(chance * self.loss(model, point, label) for label, chance in enumerate(chances))

    def forecast(self, model):
        return self.known(model) + sum(self.expected(model, point) for point in self.open_points())

    def estimates(self):
        """The forecast, moved towards what the draws say by James and Stein's share."""
        forecast = [self.forecast(model) for model in self.models]
        if not self.draws:
            return forecast
        weight = sum(1 / n_points**2 for n_points, _, _ in self.draws)
        away = [
            sum((before[h] + n_points * residual[h]) / n_points**2 for n_points, before, residual in self.draws)
            / weight
            - forecast[h]
            for h in self.models
        ]
        live = sorted(self.covers())
        middle = sum(away[h] for h in live) / len(live)
        away = [value - middle for value in away]
        variances = [sum(residual[h] ** 2 / n_points**2 for n_points, _, residual in self.draws) for h in live]
        noise = (0.5 + 10 / len(self.draws)) * sum(variances) / weight**2
        size = sum(away[h] ** 2 for h in live)
        share = max(0.0, 1 - noise / size) if size > 0 else 0.0
        return [forecast[h] + share * away[h] for h in self.models]

    def note_draw(self, point, label, covers):
        residual = [self.loss(h, point, label) - self.expected(h, point) for h in self.models]
        middle = sum(residual[h] for h in covers) / len(covers)
        before = [self.forecast(h) for h in self.models]
        self.draws.append((max(1, len(self.frame())), before, [value - middle for value in residual]))

    def leader(self):
        possible = [model for model in self.models if model not in self.dismissed]
        if not possible:
            return self.incumbent
        estimates = self.estimates()
        least = min(estimates[model] for model in possible)
        return next(model for model in possible if estimates[model] <= least + 1e-9 * max(1, abs(least)))

    # --- who is out

    def appoint(self, incumbent):
        self.incumbent = incumbent
        self.reach = [self.greatest_difference(model, incumbent) for model in self.models]
        if incumbent not in self.accounts:
            self.accounts[incumbent] = {key: wealth / 2 for key, wealth in self.reserve.items()}
            self.reserve = {key: wealth / 2 for key, wealth in self.reserve.items()}
            self.beaten[incumbent] = set()
        self.out = {model for model in self.models if self.is_out(model)}

    def greatest_difference(self, model, leader):
        cells = [(point, label) for point in self.open_points() for label in self.labels()]
        return max((abs(self.difference(model, leader, point, label)) for point, label in cells), default=0.0)

    def is_impossible(self, model):
        if model == self.incumbent:
            return True
        lowest = sum(
            min(self.difference(model, self.incumbent, point, label) for label in self.labels())
            for point in self.open_points()
        )
        ahead = self.known(model) - self.known(self.incumbent)
        return ahead + lowest + self.margin() >= -1e-9 * len(self.points)

    def is_out(self, model):
        return model in self.dismissed or model in self.beaten[self.incumbent] or self.is_impossible(model)

    def wealth(self, model):
        mine = [key for key in self.reserve if key[0] == model]
        return sum(self.reserve[key] + self.accounts[self.incumbent][key] for key in mine)

    def frame(self):
        rivals = [model for model in self.models if model not in self.out]
        return [p for p in self.open_points() if any(self.may_differ(m, self.incumbent, p) for m in rivals)]

    def covers(self):
        return {model for model in self.models if model not in self.out} | {self.incumbent}

    # --- one label

    def absorb(self, point, label, covers):
        if covers is not None:
            self.note_draw(point, label, covers)
        if covers is not None and self.incumbent in covers:
            for model in self.models:
                if model in covers and model not in self.out and self.may_differ(model, self.incumbent, point):
                    self.bet(model, point, label)
        self.log.append((point, label, covers))
        self.out |= {model for model in self.models if self.is_out(model)}
        challenger = self.leader()
        estimates = self.estimates()
        behind = estimates[self.incumbent] - estimates[challenger]
        limit = 0.5 * self.margin()
        if not self.out.issuperset(self.models) and behind > limit + 1e-9 * max(1, limit):
            self.appoint(challenger)
        remaining = [model for model in self.models if model not in self.out]
        if remaining and not self.frame():
            self.appoint(min(remaining, key=self.known))

    def bet(self, model, point, label):
        leader, places = self.incumbent, self.differing(model, self.incumbent)
        reach = self.reach[model]
        most = self.known(leader) - self.known(model)
        bonus = self.epsilon * (self.weight[label] - min(self.weight))
        came = self.difference(model, leader, point, label)
        forecasts = {p: self.expected(model, p) - self.expected(leader, p) for p in self.open_points()}
        for trust in TRUSTS:
            for fraction in FRACTIONS:
                for purse, value, limit in (
                    (self.reserve, came, most),
                    (self.accounts[leader], came + bonus, most - self.margin()),
                ):
                    mean = (limit - trust * sum(forecasts[p] for p in places)) / len(places)
                    room = mean + (1 + trust) * reach
                    if room > 1e-9 * reach:
                        residual = value - trust * forecasts[point]
                        purse[model, trust, fraction] *= max(0.0, 1 + fraction / room * (residual - mean))
        if sum(self.reserve[key] for key in self.reserve if key[0] == model) >= 1 / self.delta:
            self.dismissed.add(model)
        if self.wealth(model) >= 1 / self.delta:
            self.beaten[leader].add(model)
