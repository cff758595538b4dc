"""Choosing a model, as the proof has it: every number from its definition.

`docs/choosing-a-model.md` is the proof. Losses are 0 and 1 or a table `cost[prediction][label]`; the log is a list of
(point, label, frame), the frame being (leader, weights of the models) when the point was drawn at random, else None.
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
        self.draws = []  # of the random ones: point, label, weights of the models, 1/score in units of the frame
        self.out = set()
        self.incumbent = 0
        self.appoint(self.leader())
        self.weigh()

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

    def hits(self, model):
        """(weight, difference) of the draws where the model and the incumbent differ and the frame covered both."""
        leader = self.incumbent
        return [
            (weight, self.difference(model, leader, point, label))
            for point, label, weights, weight in self.draws
            if weights[model] and weights[leader] and self.may_differ(model, leader, point)
        ]

    def n_hits(self, model):
        """How many draws of equal weight would tell as much."""
        weights = [weight for weight, _ in self.hits(model)]
        return sum(weights) ** 2 / sum(weight**2 for weight in weights)

    def beside_forecast(self, model):
        """By how much the mean over the draws exceeds the forecast of the mean, and the variance of the former."""
        hits, places, count = self.hits(model), self.differing(model, self.incumbent), self.n_hits(model)
        total = sum(weight for weight, _ in hits)
        mean = sum(weight * hit for weight, hit in hits) / total
        around = count * sum(weight * (hit - mean) ** 2 for weight, hit in hits) / total + self.reach[model] ** 2
        foretold = sum(self.expected(model, p) - self.expected(self.incumbent, p) for p in places) / len(places)
        return mean - foretold, around / (count + 1) / count

    def is_seen(self, model):
        return bool(self.hits(model) and self.differing(model, self.incumbent))

    def estimates(self):
        """The forecast, moved towards what the draws say as far as its bias, over all models, is larger than chance."""
        seen = {h: (self.n_hits(h), *self.beside_forecast(h)) for h in self.models if self.is_seen(h)}
        excess = sum(count * (away**2 - variance) for count, away, variance in seen.values())
        bias = max(0.0, excess / max(1, sum(count for count, _, _ in seen.values())))
        totals = [self.forecast(model) for model in self.models]
        for model, (_, away, variance) in seen.items():
            n_differing = len(self.differing(model, self.incumbent))
            prior = bias + self.reach[model] ** 2 / (2 * n_differing)
            totals[model] += n_differing * away * prior / (prior + variance)
        return totals

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

    # --- what the next point is drawn from

    def share_needed(self, model):
        """Of the points where the model and the incumbent differ: how many the bets need if the estimates are right."""
        estimates, n_differing = self.estimates(), max(1, len(self.differing(model, self.incumbent)))
        lead = (estimates[model] - estimates[self.incumbent] + self.margin()) / n_differing
        edge = min(1.0, max(0.01, lead / max(self.reach[model], 1e-12)))
        missing = max(0.1, -math.log(self.delta) - math.log(max(self.wealth(model), 1e-300)))
        return min(1.0, missing * (1 + edge**2) / edge**2 / n_differing)

    def weigh(self):
        """Whole numbers up to 15, for the rivals in proportion to the shares they need; the incumbent has 15."""
        shares = [0.0 if model in self.out else self.share_needed(model) for model in self.models]
        weights = [math.ceil(15 * share / max(1e-12, *shares) - 1e-9) for share in shares]
        weights[self.incumbent] = 15
        self.weighed, self.next_frame = len(self.log), (self.incumbent, weights)

    def score(self, point, frame):
        leader, weights = frame
        return max(weights[model] if self.may_differ(model, leader, point) else 0 for model in self.models)

    def frame(self):
        return [point for point in self.open_points() if self.score(point, self.next_frame)]

    # --- one label

    def absorb(self, point, label, frame):
        out = set(self.out)
        if frame is not None:
            scores = {p: self.score(p, frame) for p in self.open_points() if self.score(p, frame)}
            mean_score = sum(scores.values()) / len(scores)
            self.draws.append((point, label, frame[1], mean_score / scores[point]))
            if frame[1][self.incumbent]:
                for model in self.models:
                    if frame[1][model] and model not in self.out and self.may_differ(model, self.incumbent, point):
                        self.bet(model, point, label, scores, frame[1])
        self.log.append((point, label, frame))
        self.out |= {model for model in self.models if self.is_out(model)}
        if self.out != out:
            self.weigh()
        challenger = self.leader()
        estimates = self.estimates()
        behind = estimates[self.incumbent] - estimates[challenger]
        limit = 0.5 * self.margin()
        if not self.out.issuperset(self.models) and behind > limit + 1e-9 * max(1, limit):
            self.appoint(challenger)
            self.weigh()
        elif len(self.log) >= 1.04 * self.weighed:
            self.weigh()
        remaining = [model for model in self.models if model not in self.out]
        if remaining and not self.frame():
            self.appoint(min(remaining, key=self.known))
            self.weigh()

    def bet(self, model, point, label, scores, weights):
        leader, places = self.incumbent, self.differing(model, self.incumbent)
        reach = self.reach[model]
        most = self.known(leader) - self.known(model)
        bonus = self.epsilon * (self.weight[label] - min(self.weight))
        came = self.difference(model, leader, point, label)
        weight = {p: sum(scores[j] for j in places) / len(places) / scores[p] for p in places}  # 1 on average
        greatest = sum(scores[j] for j in places) / len(places) / min(weights[model], weights[leader])
        assert greatest >= max(weight.values()) - 1e-12
        forecasts = {p: self.expected(model, p) - self.expected(leader, p) for p in self.open_points()}
        for trust in TRUSTS:
            for fraction in FRACTIONS:
                for purse, value, limit in (
                    (self.reserve, came, most),
                    (self.accounts[leader], came + bonus, most - self.margin()),
                ):
                    mean = (limit - trust * sum(forecasts[p] for p in places)) / len(places) + reach
                    room = mean + trust * greatest * reach
                    if room > 1e-9 * reach:
                        x = weight[point] * (value + reach - trust * forecasts[point])
                        purse[model, trust, fraction] *= max(0.0, 1 + fraction / room * (x - mean))
        if sum(self.reserve[key] for key in self.reserve if key[0] == model) >= 1 / self.delta:
            self.dismissed.add(model)
        if self.wealth(model) >= 1 / self.delta:
            self.beaten[leader].add(model)
