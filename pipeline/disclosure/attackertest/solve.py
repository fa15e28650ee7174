"""Asks HiGHS whether a group of people can have another size than it has.

Reads systems of bounds as JSON, one a line, and writes for each the numbers of the
targets that can have no other size, and of the targets that were not tried.
"""
import json
import os
import random
import sys

import highspy
import numpy as np

EPS = 1e-6


def model(system):
    h = highspy.Highs()
    h.setOptionValue("output_flag", False)
    h.setOptionValue("threads", 1)
    h.setOptionValue("mip_rel_gap", 0.2)
    h.setOptionValue("simplex_strategy", 4)  # primal: what is asked changes, and what is known does not
    lp = highspy.HighsLp()
    n = len(system["high"])
    starts, index, value, low, high = [0], [], [], [], []
    for plus, minus, least, most, plus_times, minus_times in system["rows"]:
        index += plus + minus
        value += [float(plus_times)] * len(plus) + [-float(minus_times)] * len(minus)
        starts.append(len(index))
        low.append(least if least is not None else -highspy.kHighsInf)
        high.append(most if most is not None else highspy.kHighsInf)
    lp.num_col_, lp.num_row_ = n, len(low)
    lp.col_cost_, lp.col_lower_ = np.zeros(n), np.zeros(n)
    lp.col_upper_ = np.array(system["high"], dtype=float)
    lp.row_lower_, lp.row_upper_ = np.array(low, dtype=float), np.array(high, dtype=float)
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_, lp.a_matrix_.index_ = np.array(starts), np.array(index)
    lp.a_matrix_.value_ = np.array(value)
    if system["integer"]:
        lp.integrality_ = [highspy.HighsVarType.kInteger] * n
    h.passModel(lp)
    return h


class Refuted(Exception):
    """What the attacker assumes is not possible."""


class Attack:
    def __init__(self, system):
        self.h, self.n = model(system), len(system["high"])
        self.targets = [np.array(t["vars"], dtype=np.int32) for t in system["targets"]]
        self.size = [t["n"] for t in system["targets"]]
        self.pending, self.free = set(range(len(self.targets))), set()
        self.every = np.arange(self.n, dtype=np.int32)

    def solve(self, weights, sense):
        """Solves with a weight for each target and drops those that have another size."""
        cost = np.zeros(self.n)
        for t, w in weights.items():
            np.add.at(cost, self.targets[t], w)
        self.h.changeColsCost(self.n, self.every, cost)
        self.h.changeObjectiveSense(sense)
        self.h.run()
        status = self.h.getModelStatus()
        if status in (highspy.HighsModelStatus.kInfeasible, highspy.HighsModelStatus.kUnboundedOrInfeasible):
            raise Refuted
        if status != highspy.HighsModelStatus.kOptimal:
            raise SystemExit(f"solver: {self.h.modelStatusToString(status)}")
        x = np.array(self.h.getSolution().col_value)
        done = [t for t in range(len(self.targets)) if t not in self.free and abs(x[self.targets[t]].sum() - self.size[t]) >= 1 - EPS]
        self.free.update(done)
        self.pending.difference_update(done)
        return len(done)

    def judge(self, sample):
        r = random.Random(1)
        low, high = highspy.ObjSense.kMinimize, highspy.ObjSense.kMaximize
        fruitless = 0
        while self.pending and fruitless < 4:
            weights = {t: r.choice((-1, 1)) * r.uniform(0.5, 1.5) for t in sorted(self.pending)}
            if fruitless % 2:
                weights = {t: abs(w) for t, w in weights.items()}
            fruitless = fruitless + 1 if self.solve(weights, high) == 0 else 0
        fixed, untried = [], []
        if sample and len(self.pending) > sample:
            untried = sorted(r.sample(sorted(self.pending), len(self.pending) - sample))
            self.pending.difference_update(untried)
        for t in range(len(self.targets)):
            for sense in (low, high):
                if t in self.pending:
                    self.solve({t: 1.0}, sense)
            if t in self.pending:
                self.pending.remove(t)
                fixed.append(t)
        return {"pinned": fixed, "untried": [t for t in untried if t not in self.free]}


def judge(system):
    try:
        return Attack(system).judge(system["sample"])
    except Refuted:
        if not system["mistaken"]:
            raise SystemExit("solver: nothing is possible")
        return {"pinned": [], "untried": [], "refuted": True}


# Standard output is the answers' alone: HiGHS says its name there before it can be told not to.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
for line in sys.stdin:
    print(json.dumps(judge(json.loads(line))), file=answers, flush=True)
