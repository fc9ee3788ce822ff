#!/usr/bin/env python3
"""Writes the example tasks beside this file: bk.pl, exs.pl and expected.json of each folder, and the tables of two.

Each task has a function that draws a small world from its own seed, labels the examples with the intended concept
written a second time in plain Python, and says what confusion the hypothesis in solution.pl must therefore have.
So expected.json does not come from the system that is tested with it. bias.pl, solution.pl and README.md are
written by hand.

    python3 examples/generate.py            write the files
    python3 examples/generate.py --check    fail if the committed files are not what this script writes
"""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent


class Random:
    """SplitMix64: the same draws with every Python, which `random` does not promise for `sample` and `shuffle`."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        self.state = (self.state + 0x9E3779B97F4A7C15) & (2**64 - 1)
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & (2**64 - 1)
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & (2**64 - 1)
        return (z ^ (z >> 31)) % bound

    def chance(self, percent):
        return self.below(100) < percent

    def pick(self, items):
        return items[self.below(len(items))]

    def sample(self, items, count):
        rest = list(items)
        return [rest.pop(self.below(len(rest))) for _ in range(count)]


class Task:
    """Collects the facts and examples of one folder and counts what the solution gets right."""

    def __init__(self, name, size):
        self.name = name
        self.size = size
        self.background = []
        self.examples = []
        self.confusion = {"tp": 0, "fn": 0, "tn": 0, "fp": 0}

    def fact(self, predicate, *arguments):
        self.background.append(atom(predicate, arguments))

    def example(self, predicate, arguments, covered, label=None):
        """An example that the solution covers or not; labelled likewise unless `label` says otherwise (noise)."""
        label = covered if label is None else label
        self.examples.append((label, atom(predicate, arguments)))
        self.confusion[{(1, 1): "tp", (1, 0): "fn", (0, 0): "tn", (0, 1): "fp"}[int(label), int(covered)]] += 1

    def files(self, rules=""):
        """Facts by predicate, in the order of first mention, then the rules; positives before negatives."""
        order = list(dict.fromkeys(line.split("(")[0] for line in self.background))
        facts = sorted(dict.fromkeys(self.background), key=lambda line: order.index(line.split("(")[0]))
        ordered = sorted(self.examples, key=lambda example: not example[0])
        errors = self.confusion["fn"] + self.confusion["fp"]
        expected = {"confusion": self.confusion, "size": self.size, "mdl": errors + self.size}
        return {
            f"{self.name}/bk.pl": "".join(f"{line}.\n" for line in facts) + rules,
            f"{self.name}/exs.pl": "".join(f"{'pos' if label else 'neg'}({text}).\n" for label, text in ordered),
            f"{self.name}/expected.json": json.dumps(expected, indent=2) + "\n",
        }


def atom(predicate, arguments):
    return f"{predicate}({','.join(show(argument) for argument in arguments)})"


def show(value):
    return "[" + ",".join(map(show, value)) + "]" if isinstance(value, list) else str(value)


def family():
    """grandmother(A,B) :- mother(A,C), parent(C,B)."""
    random, task = Random(11), Task("family", size=3)
    women = ["ada", "bea", "cleo", "dora", "edda", "fay", "gwen", "hilde", "ines", "juno", "kira", "lotte"]
    men = ["abel", "boris", "cyril", "diego", "emil", "franz", "gus", "hugo", "ivo", "jasper", "karl", "leo"]
    generations = [(women[at : at + 4], men[at : at + 4]) for at in (0, 4, 8)]
    mother, father = {}, {}
    for (mothers, fathers), (daughters, sons) in zip(generations, generations[1:]):
        for child in daughters + sons:
            couple = random.below(4)
            mother[child], father[child] = mothers[couple], fathers[couple]
            task.fact("mother", mother[child], child)
            task.fact("father", father[child], child)
    of_parents = lambda which: {
        (which[parent], child) for child in mother for parent in (mother[child], father[child]) if parent in mother
    }
    grandmothers, grandfathers = of_parents(mother), of_parents(father)
    parents = {(parent[child], child) for parent in (mother, father) for child in parent}
    near = sorted(grandfathers | parents)
    far = [(a, b) for a in women + men for b in women + men if a != b and (a, b) not in grandmothers | set(near)]
    for pair in sorted(grandmothers):
        task.example("grandmother", pair, covered=True)
    for pair in random.sample(near, 15) + random.sample(far, 15):
        task.example("grandmother", pair, covered=False)
    return task.files("\nparent(X, Y) :- mother(X, Y).\nparent(X, Y) :- father(X, Y).\n")


def trains():
    """A train with a short tank wagon, or with a flat wagon right behind the engine."""
    random, task = Random(23), Task("trains", size=8)
    for number in range(1, 61):
        train, wagons = f"train{number}", []
        for position in range(1, 3 + random.below(3)):
            body = random.pick(["tank", "flat", "box", "hopper"])
            wagons.append((f"w{number}_{position}", body, random.pick(["short", "long"])))
        for position, (wagon, body, length) in enumerate(wagons):
            task.fact("wagon", train, wagon)
            task.fact(body, wagon)
            task.fact(length, wagon)
            if position == 0:
                task.fact("leads", wagon)
            else:
                task.fact("couples", wagons[position - 1][0], wagon)
        short_tank = any(body == "tank" and length == "short" for _, body, length in wagons)
        task.example("hazardous", [train], covered=short_tank or wagons[0][1] == "flat")
    return task.files()


def last():
    """last_of(A,B): B is the last element of the list A."""
    random, task = Random(31), Task("last", size=7)
    for _ in range(20):
        items = [random.pick("abcdefgh") for _ in range(1 + random.below(6))]
        task.example("last_of", [items, items[-1]], covered=True)
    while len(task.examples) < 40:
        items = [random.pick("abcdefgh") for _ in range(1 + random.below(6))]
        item = random.pick(items[:-1] + list("abcdefgh"))
        if item != items[-1]:
            task.example("last_of", [items, item], covered=False)
    return task.files(rules="head([H|_], H).\ntail([_|T], T).\nempty([]).\n")


def evens():
    """A list of even numbers, which may be empty."""
    random, task = Random(53), Task("evens", size=7)
    while len(task.examples) < 12:
        task.example("evens", [[2 * random.below(20) for _ in range(random.below(7))]], covered=True)
    while len(task.examples) < 24:
        items = [2 * random.below(20) for _ in range(1 + random.below(6))]
        items[random.below(len(items))] += 1
        task.example("evens", [items], covered=False)
    return task.files("head([H|_], H).\ntail([_|T], T).\nempty([]).\neven(N) :- 0 is N mod 2.\nodd(N) :- 1 is N mod 2.\n")


def total():
    """total(A,B): B is the sum of the list A."""
    random, task = Random(59), Task("total", size=8)
    draw = lambda: [random.below(9) for _ in range(random.below(6))]
    for _ in range(12):
        items = draw()
        task.example("total", [items, sum(items)], covered=True)
    while len(task.examples) < 24:
        items, wrong = draw(), random.below(30)
        if wrong != sum(items):
            task.example("total", [items, wrong], covered=False)
    return task.files("head([H|_], H).\ntail([_|T], T).\nempty([]).\nzero(0).\nadd(A, B, C) :- C is A + B.\n")


def drop():
    """drop(A,B,C): the list A without its first B elements is C. One label in five is wrong."""
    random, task = Random(61), Task("drop", size=7)
    for at in range(120):
        items = [random.below(100) for _ in range(4 + random.below(12))]
        count = 1 + random.below(len(items))
        right = at % 2 == 0
        rest = items[count:] if right else items[random.below(len(items)) :]
        covered = rest == items[count:]
        task.example("drop", [items, count, rest], covered=covered, label=covered != random.chance(20))
    rules = "tail([_|T], T).\nhead([H|_], H).\nempty([]).\none(1).\ndecrement(A, B) :- A > 0, B is A - 1.\n"
    return task.files(rules + "even(N) :- 0 is N mod 2.\n")


def rumour():
    """heard(A) :- follows(A,B), follows(B,C), gossip(C); about one label in ten is wrong."""
    random, task = Random(47), Task("rumour", size=4)
    people = [f"p{number}" for number in range(1, 181)]
    gossips = set(random.sample(people, 20))
    follows = {person: random.sample([other for other in people if other != person], 1 + random.below(3)) for person in people}
    for person in people:
        for other in follows[person]:
            task.fact("follows", person, other)
    for person in people:
        if person in gossips:
            task.fact("gossip", person)
        task.fact(random.pick(["young", "old"]), person)
    for person in people:
        covered = any(third in gossips for other in follows[person] for third in follows[other])
        task.example("heard", [person], covered, label=covered != (random.below(12) == 0))
    return task.files()


def stones():
    """Next state of a small game: a token that moves goes one stone on unless that stone is taken."""
    random, task = Random(59), Task("stones", size=13)
    tokens, stones_ = ["amber", "birch", "coral"], [f"s{number}" for number in range(1, 7)]
    for here, there in zip(stones_, stones_[1:]):
        task.fact("step", here, there)
    for number in range(1, 16):
        turn = f"turn{number}"
        places = dict(zip(tokens, random.sample(range(6), 3)))
        for token, place in places.items():
            task.fact("at", turn, token, stones_[place])
        for place, stone in enumerate(stones_):
            task.fact("taken" if place in places.values() else "free", turn, stone)
        for token, place in places.items():
            moves = random.chance(65)
            task.fact("moves" if moves else "rests", turn, token)
            ahead = place + 1
            if moves and ahead == 6:
                after = None  # The token leaves the board.
            else:
                after = ahead if moves and ahead not in places.values() else place
            for other in range(6):
                if other == after or abs(other - place) <= 1 or random.chance(25):
                    task.example("next", [turn, token, stones_[other]], covered=other == after)
    return task.files()


def molecules():
    """A molecule dissolves if an oxygen is bonded to a hydrogen, or if a nitrogen has a strong charge."""
    random, task = Random(67), Task("molecules", size=9)
    for number in range(1, 71):
        molecule = f"m{number}"
        atoms = [f"{molecule}_{at}" for at in range(1, 5 + random.below(4))]
        element = {name: random.pick(["carbon", "carbon", "hydrogen", "oxygen", "nitrogen"]) for name in atoms}
        charge = {name: random.below(100) for name in atoms}
        bonds = [(atoms[at], atoms[random.below(at)]) for at in range(1, len(atoms))]
        for name in atoms:
            task.fact("has_atom", molecule, name)
        for name in atoms:
            task.fact(element[name], name)
            task.fact("charge", name, charge[name])
        for one, other in bonds:
            task.fact("bond", one, other)
            task.fact("bond", other, one)
        hydroxyl = any({element[one], element[other]} == {"oxygen", "hydrogen"} for one, other in bonds)
        ammonium = any(element[name] == "nitrogen" and charge[name] >= 70 for name in atoms)
        task.example("soluble", [molecule], covered=hydroxyl or ammonium)
    return task.files("\nstrong(Atom) :- charge(Atom, Charge), Charge >= 70.\n")


def parcels():
    """A parcel is bulky from 31.5 kg on, a roll from 20 kg on, or if length and girth add up to 300 cm or more."""
    random, task = Random(83), Task("parcels", size=11)
    for number in range(1, 201):
        parcel, shape = f"p{number}", random.pick(["box", "box", "roll", "bag"])
        weight, length, girth = random.below(400) / 10, 40 + random.below(160), 60 + random.below(180)
        task.fact("shape", parcel, shape)
        task.fact("weight", parcel, weight)
        task.fact("measures", parcel, length, girth)
        bulky = weight >= 31.5 or shape == "roll" and weight >= 20 or length + girth >= 300
        task.example("bulky", [parcel], covered=bulky)
    return task.files()


def customers():
    """A customer is loyal with four orders or more and no complaint, or with an express order that was not returned."""
    random, task, orders = Random(97), Task("customers", size=8), 0
    for number in range(1, 151):
        customer, kept_express = f"c{number}", False
        count = random.below(7)
        for _ in range(count):
            orders += 1
            order = f"o{orders}"
            task.fact("ordered", customer, order)
            express, returned = random.chance(12), random.chance(35)
            if express:
                task.fact("express", order)
            if returned:
                task.fact("returned", order, random.pick(["size", "damage", "late"]))
            kept_express = kept_express or express and not returned
        complaints = random.below(3) if random.chance(40) else 0
        for complaint in range(complaints):
            task.fact("complained", customer, f"m{number}_{complaint}")
        task.example("loyal", [customer], covered=count >= 4 and complaints == 0 or kept_express)
    return task.files()


def kettle():
    """The state of a kettle after an action: lifting turns it off, pressing heats it if it is filled, heating ends hot."""
    random, task = Random(101), Task("kettle", size=16)
    states, actions = ["off", "heating", "hot"], ["lift", "press", "wait"]
    task.fact("steady", "off")
    task.fact("steady", "hot")
    for number in range(1, 61):
        moment, state, action, filled = f"m{number}", random.pick(states), random.pick(actions), random.chance(60)
        task.fact("was", moment, state)
        task.fact("did", moment, action)
        task.fact("filled" if filled else "empty", moment)
        if action == "lift":
            after = "off"
        elif action == "press":
            after = "heating" if filled else state
        else:
            after = "hot" if state == "heating" else state
        for other in states:
            task.example("next", [moment, other], covered=other == after)
    return task.files()


def table(titles, rows):
    """A table as text. None is a missing value."""
    lines = [titles] + [["" if cell is None else str(cell) for cell in row] for row in rows]
    return "".join(",".join(line) + "\n" for line in lines)


def penguins():
    """Gentoos have flippers from 207 mm on; of the others Chinstraps have bills from 44 mm on. Tables, not a task folder."""
    random = Random(101)
    titles = ["species", "island", "bill_mm", "flipper_mm", "mass_g", "sex", "seen"]

    def draw():
        bill, flipper = 320 + random.below(240), 172 + random.below(60)
        species = "Gentoo" if flipper >= 207 else "Chinstrap" if bill >= 440 else "Adelie"
        mass = 2500 + 50 * random.below(40) + (900 if species == "Gentoo" else 0)
        sex = None if random.chance(8) else random.pick(["female", "male"])
        seen = f"20{7 + random.below(3):02}-{1 + random.below(12):02}-{1 + random.below(28):02}"
        return [species, random.pick(["Biscoe", "Dream", "Torgersen"]), bill / 10, flipper, mass, sex, seen]

    known, new = [draw() for _ in range(150)], [draw() for _ in range(12)]
    return {"penguins/penguins.csv": table(titles, known), "penguins/new.csv": table(titles[1:], [row[1:] for row in new])}


def compounds():
    """A compound is active if a nitrogen with a charge of 0.3 or more has a double bond to an oxygen. Three linked tables."""
    random = Random(103)

    def draw(first, last):
        molecules, atoms, bonds = [], [], []
        for number in range(first, last + 1):
            molecule, own = f"m{number}", []
            for _ in range(3 + random.below(4)):
                atom = len(atoms) + 1
                element = random.pick(["c", "n", "n", "o", "o"])
                atoms.append([atom, molecule, element, (random.below(130) - 60) / 100])
                own.append(atoms[-1])
            active = False
            for one, other in zip(own, own[1:]):
                kind = random.pick(["single", "double"])
                for a, b in ((one, other), (other, one)):
                    bonds.append([a[0], b[0], kind])
                    active = active or kind == "double" and a[2] == "n" and a[3] >= 0.3 and b[2] == "o"
            logp = None if random.chance(5) else (random.below(600) - 100) / 100
            molecules.append([molecule, logp, "yes" if active else "no"])
        return molecules, atoms, bonds

    files = {}
    for folder, (molecules, atoms, bonds) in (("compounds", draw(1, 150)), ("compounds/new", draw(201, 230))):
        files[f"{folder}/molecules.csv"] = table(["id", "logp", "active"], molecules)
        files[f"{folder}/atoms.csv"] = table(["id", "mol_id", "element", "charge"], atoms)
        files[f"{folder}/bonds.csv"] = table(["atom1", "atom2", "order"], bonds)
    return files


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    stale = []
    folders = (family, trains, last, evens, total, drop, rumour, stones, molecules, parcels, customers, kettle)
    for generate in (*folders, penguins, compounds):
        for name, text in generate().items():
            path = HERE / name
            if not arguments:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            elif not path.exists() or path.read_text(encoding="utf-8") != text:
                stale.append(name)
    if stale:
        sys.exit("not what examples/generate.py writes: " + ", ".join(stale))


if __name__ == "__main__":
    main(sys.argv[1:])
