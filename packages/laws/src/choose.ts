/** Picks the next step of a walk: whatever the twin's state makes interesting, by the throw of the dice. */
import type { Dice } from "./dice.ts";
import type { FieldKind, FieldValue, SlowTerm, SlowWorld, Twin } from "./slow-world.ts";
import { ancestorsOf, childrenOf, descendantsOf, parentOf, targetsOf } from "./slow-world.ts";
import type { AskTerm, Step } from "./step.ts";
import { fieldsOf, rules } from "./vocabulary.ts";

/** The part of the vocabulary that one walk uses: few shapes at a time meet each other more often. */
export interface Palette {
  readonly components: readonly string[];
  readonly relations: readonly string[];
}

export interface Chooser {
  readonly dice: Dice;
  readonly slow: SlowWorld;
  readonly palette: Palette;
  /** Indexes are used again: worth wearing on. */
  readonly isWorn: boolean;
  /** Above this many living entities deaths become likely. */
  readonly cap: number;
  /** How many twins were ever named: the number of the next one. */
  named: number;
}

/** Few names, so that they collide; odd ones, so that paths have to be escaped. */
const NAMES = ["a", "b", "c", "Ship", "x::y", ":", "a:", "\\", "to be", "é🚀", "..", "#1", "c\\:"] as const;
const NUMBERS = [0, 1, -1, 0.1, -2.5, 3e7, 1e-3] as const;
const FLOATS = [...NUMBERS, -0, Number.NaN, Number.POSITIVE_INFINITY] as const;
const MESHES = ["cube", "sphere", ""] as const;

/** The questions that live as long as the walk, or until a dying target makes them dull. */
export const FIRST_ASKS: readonly (readonly AskTerm[])[] = [
  [asking("with", "Position"), asking("with", "Clock")],
  [asking("with", "Position"), asking("not", "Frozen"), asking("maybe", "Health")],
  [asking("with", "Position"), asking("with", "ChildOf", "Any"), asking("maybe", "Mesh")],
  [asking("with", "Health"), asking("not", "ChildOf", "Any")],
  [asking("with", "Position"), asking("cascade", "Position")],
  [asking("with", "Frozen"), asking("maybe", "Aim"), asking("cascade", "Clock")],
  [asking("with", "Likes", "Any"), asking("with", "Mesh")],
  [asking("with", "Matrix"), asking("not", "Likes", "Any"), asking("cascade", "Matrix")],
  [asking("with", "Name"), asking("not", "Lit"), asking("cascade", "Health")],
];

/** Slots after the first asks hold questions that name a target. */
const TARGET_SLOTS = 4;

type Choice = readonly [weight: number, choose: (chooser: Chooser) => Step];

const CHOICES: readonly Choice[] = [
  [14, (chooser) => ({ verb: "spawn", born: [chooser.named++], terms: bornWith(chooser) })],
  [
    3,
    (chooser) => ({
      verb: "spawnMany",
      born: newborns(chooser, 1 + chooser.dice.below(5)),
      terms: bornWith(chooser),
    }),
  ],
  [12, (chooser) => ({ verb: "add", entity: someone(chooser), terms: addedTerms(chooser) })],
  [12, chooseRemove],
  [16, (chooser) => ({ verb: "set", entity: someone(chooser), term: valuedTerm(chooser) })],
  [14, chooseReparent],
  [4, (chooser) => ({ verb: "remove", entity: someone(chooser), what: "ChildOf", target: "Any" })],
  [6, (chooser) => ({ verb: "rename", entity: someone(chooser), name: nameFor(chooser) })],
  [3, (chooser) => ({ verb: "destroy", entity: someone(chooser) })],
  [4, (chooser) => ({ verb: "release", entity: someone(chooser) })],
  [2, () => ({ verb: "pack" })],
  [1, ({ dice, isWorn }) => ({ verb: "wear", count: isWorn ? dice.below(4_200) : 1 })],
  [3, (chooser) => ({ verb: "drift", by: chooser.dice.pick(NUMBERS) })],
  [2, (chooser) => ({ verb: "meddle", step: chooser.dice.pick(MEDDLINGS)(chooser) })],
  [5, chooseAsk],
  [4, chooseFlurry],
  [1, chooseCrowd],
  [1, chooseChain],
];

/** What a flurry is made of: what moves rows, depths and names. */
const FLURRY: readonly ((chooser: Chooser) => Step)[] = [
  chooseReparent,
  chooseReparent,
  chooseRemove,
  () => ({ verb: "pack" }),
  (chooser) => ({ verb: "spawn", born: [chooser.named++], terms: bornWith(chooser) }),
  (chooser) => ({ verb: "add", entity: someone(chooser), terms: addedTerms(chooser) }),
  (chooser) => ({ verb: "release", entity: someone(chooser) }),
];

/** What is tried inside visits: each would change the structure of a world that is not being visited. */
const MEDDLINGS: readonly ((chooser: Chooser) => Step)[] = [
  (chooser) => ({ verb: "spawn", born: [chooser.named++], terms: [] }),
  (chooser) => ({ verb: "destroy", entity: aliveOne(chooser) }),
  () => ({ verb: "pack" }),
];

const WEIGHTS = CHOICES.reduce((sum, [weight]) => sum + weight, 0);

export function createPalette(dice: Dice): Palette {
  const components = someOf(dice, [...Object.keys(rules.schemas), "Mesh"], 3);
  const relations = someOf(dice, Object.keys(rules.relations), 4);
  return { components, relations: relations.includes("ChildOf") ? relations : [...relations, "ChildOf"] };
}

function someOf(dice: Dice, all: readonly string[], count: number): string[] {
  const left = [...all];
  while (left.length > count) left.splice(dice.below(left.length), 1);
  return left;
}

export function chooseStep(chooser: Chooser): Step {
  const { dice, slow, cap } = chooser;
  const alive = slow.living.size;
  if (alive === 0) return { verb: "spawn", born: [chooser.named++], terms: [] };
  if (dice.chance(0.004)) return everyoneDies(chooser);
  if (alive > cap && dice.chance(0.5)) {
    return dice.chance(0.1)
      ? everyoneDies(chooser)
      : { verb: dice.pick(["destroy", "release"]), entity: someone(chooser) };
  }

  let left = dice.below(WEIGHTS);
  for (const [weight, choose] of CHOICES) {
    if (left < weight) return choose(chooser);
    left -= weight;
  }
  throw new Error("weights do not add up");
}

// ---- entities ----------------------------------------------------------------------------------------------------

function aliveOne(chooser: Chooser): Twin {
  const { dice, slow } = chooser;
  return dice.pick([...slow.living.keys()]);
}

/** A living entity mostly; now and then one of the lately dead, or one that was never born. */
function someone(chooser: Chooser): Twin {
  const { dice, named } = chooser;
  return dice.chance(0.03) && named > 1 ? named - 1 - dice.below(Math.min(20, named - 1)) : aliveOne(chooser);
}

function newborns(chooser: Chooser, count: number): Twin[] {
  return Array.from({ length: count }, () => chooser.named++);
}

// ---- terms -------------------------------------------------------------------------------------------------------

function bornWith(chooser: Chooser): SlowTerm[] {
  const { dice } = chooser;
  const terms = termsWithoutRepeats(chooser, dice.below(4));
  if (dice.chance(0.65)) terms.push({ what: "ChildOf", target: someone(chooser) });
  if (dice.chance(0.35)) terms.push({ what: "Name", value: nameFor(chooser) });
  return terms;
}

/** Now and then a new parent and a new name at once: both must fit together. */
function addedTerms(chooser: Chooser): SlowTerm[] {
  const { dice } = chooser;
  const terms = termsWithoutRepeats(chooser, 1 + dice.below(2));
  if (dice.chance(0.1)) terms.push({ what: "ChildOf", target: someone(chooser) });
  if (dice.chance(0.1)) terms.push({ what: "Name", value: nameFor(chooser) });
  return terms;
}

function termsWithoutRepeats(chooser: Chooser, count: number): SlowTerm[] {
  const found = new Map<string, SlowTerm>();
  for (let at = 0; at < count; at++) {
    const term = anyTerm(chooser);
    found.set(term.what, term);
  }
  return [...found.values()];
}

function anyTerm(chooser: Chooser): SlowTerm {
  const { dice, palette } = chooser;
  if (dice.chance(0.3)) return { what: dice.pick(rules.tags) };
  if (dice.chance(0.35)) return pairTerm(chooser);
  const what = dice.pick(palette.components);
  return dice.chance(0.3) && what !== "Mesh" ? { what } : valuedComponent(chooser, what);
}

/** A value to set: of a component, a pair or, now and then, an object. */
function valuedTerm(chooser: Chooser): SlowTerm {
  const { dice, palette } = chooser;
  if (dice.chance(0.1)) return { what: "Name", value: nameFor(chooser) };
  const what = dice.pick([...palette.components, ...palette.relations]);
  if (rules.relations[what] === undefined) return valuedComponent(chooser, what);
  return fieldsOf(what) === undefined ? valuedTerm(chooser) : valuedPair(chooser, what);
}

function pairTerm(chooser: Chooser): SlowTerm {
  const { dice, palette } = chooser;
  const what = dice.pick(palette.relations);
  if (what === "ChildOf" || (what === "Guards" && dice.chance(0.5))) return { what: "Lit" };
  const hasFields = fieldsOf(what) !== undefined;
  return hasFields && dice.chance(0.7) ? valuedPair(chooser, what) : { what, target: someone(chooser) };
}

function valuedPair(chooser: Chooser, what: string): SlowTerm {
  return { ...valuedComponent(chooser, what), target: someone(chooser) };
}

function valuedComponent(chooser: Chooser, what: string): SlowTerm {
  if (what === "Mesh") return { what, value: chooser.dice.pick(MESHES) };
  const value: Record<string, FieldValue> = {};
  for (const [field, kind] of Object.entries(fieldsOf(what) ?? {})) {
    if (chooser.dice.chance(0.7)) value[field] = fieldValueOf(chooser, kind);
  }
  return { what, value };
}

function fieldValueOf(chooser: Chooser, kind: FieldKind): FieldValue {
  const { dice } = chooser;
  switch (kind) {
    case "f32":
    case "f64":
      return dice.pick(FLOATS);
    case "i16":
      return dice.below(65_536) - 32_768;
    case "u8":
      return dice.below(256);
    case "u32":
      return dice.below(2 ** 32);
    case "bool":
      return dice.chance(0.5);
    case "entity":
      return dice.chance(0.8) ? aliveOneOrNobody(chooser) : undefined;
    case "four f32":
      return [dice.pick(FLOATS), dice.pick(FLOATS), dice.pick(FLOATS), dice.pick(FLOATS)];
  }
}

function aliveOneOrNobody(chooser: Chooser): Twin | undefined {
  return chooser.slow.living.size === 0 ? undefined : aliveOne(chooser);
}

function nameFor(chooser: Chooser): string {
  return chooser.dice.chance(0.03) ? "" : chooser.dice.pick(NAMES);
}

// ---- steps -------------------------------------------------------------------------------------------------------

function chooseRemove(chooser: Chooser): Step {
  const { dice, slow, palette } = chooser;
  const entity = someone(chooser);
  if (dice.chance(0.6)) {
    return { verb: "remove", entity, what: dice.pick([...rules.tags, ...palette.components, "Name"]) };
  }
  const what = dice.pick(palette.relations);
  if (dice.chance(0.3)) return { verb: "remove", entity, what, target: "Any" };
  const held = slow.living.has(entity) ? targetsOf(slow, entity, what) : [];
  const target = held.length > 0 && dice.chance(0.8) ? dice.pick(held) : someone(chooser);
  return { verb: "remove", entity, what, target };
}

/** Anyone under anyone, and on purpose: below itself, below its own grandchild, under the parent it has. */
function chooseReparent(chooser: Chooser): Step {
  const { dice, slow } = chooser;
  const entity = someone(chooser);
  let target = someone(chooser);
  if (slow.living.has(entity)) {
    const luck = dice.below(20);
    if (luck === 0) target = entity;
    else if (luck <= 2) target = dice.pick([entity, ...descendantsOf(slow, entity)]);
    else if (luck <= 4) target = parentOf(slow, entity) ?? target;
    else if (luck <= 6) target = dice.pick([target, ...ancestorsOf(slow, entity)]);
  }
  return { verb: "add", entity, terms: [{ what: "ChildOf", target }] };
}

function asking(kind: AskTerm["kind"], what: string, target?: Twin | "Any"): AskTerm {
  return target === undefined ? { kind, what } : { kind, what, target };
}

function chooseAsk(chooser: Chooser): Step {
  const { dice, palette } = chooser;
  if (dice.chance(0.2)) {
    const slot = dice.below(FIRST_ASKS.length); // the same question anew
    return { verb: "ask", slot, terms: FIRST_ASKS[slot]! };
  }
  const target = aliveOne(chooser);
  const what = dice.pick(palette.relations);
  const component = dice.pick(palette.components);
  const terms = dice.pick<readonly AskTerm[]>([
    [asking("with", what, target)],
    [asking("with", component), asking("with", what, target)],
    [asking("with", what, target), asking("not", "Frozen"), asking("maybe", component)],
    [asking("with", component), asking("not", what, target)],
    [asking("with", "ChildOf", "Any"), asking("not", what, target)],
    [asking("not", "ChildOf", target), asking("not", what, aliveOne(chooser))],
    [asking("with", "ChildOf", target), asking("not", what, aliveOne(chooser))],
    [asking("with", what, target), asking("with", "ChildOf", aliveOne(chooser))],
    [asking("with", component), asking("with", what, target), asking("cascade", component)],
    [asking("with", "Frozen"), asking("not", what, target), asking("cascade", component)],
  ]);
  return { verb: "ask", slot: FIRST_ASKS.length + dice.below(TARGET_SLOTS), terms };
}

/** Several steps in a row, so that what is put off until somebody looks piles up. */
function chooseFlurry(chooser: Chooser): Step {
  const { dice } = chooser;
  const steps = Array.from({ length: 2 + dice.below(6) }, () => dice.pick(FLURRY)(chooser));
  return { verb: "burst", steps };
}

/** Thirty children at once under one parent, one by one. */
function chooseCrowd(chooser: Chooser): Step {
  const parent = aliveOne(chooser);
  const what = chooser.dice.pick(chooser.palette.components);
  const steps: Step[] = [];
  for (let at = 0; at < 30; at++) {
    const terms: SlowTerm[] = [{ what: "ChildOf", target: parent }, valuedComponent(chooser, what)];
    steps.push({ verb: "spawn", born: [chooser.named++], terms });
  }
  return { verb: "burst", steps };
}

/** A deep chain, whose inner nodes have the component only here and there. */
function chooseChain(chooser: Chooser): Step {
  let parent = aliveOne(chooser);
  const steps: Step[] = [];
  for (let at = 0; at < 12; at++) {
    const terms: SlowTerm[] = [{ what: "ChildOf", target: parent }];
    if (chooser.dice.chance(0.5)) terms.push(valuedComponent(chooser, "Position"));
    parent = chooser.named++;
    steps.push({ verb: "spawn", born: [parent], terms });
  }
  return { verb: "burst", steps };
}

/** Guards first, so that nobody refuses; then the roots, in a random order. */
function everyoneDies(chooser: Chooser): Step {
  const { dice, slow } = chooser;
  const steps: Step[] = [...slow.living.keys()].map((entity) => ({
    verb: "remove",
    entity,
    what: "Guards",
    target: "Any",
  }));
  const roots = childrenOf(slow, undefined);
  while (roots.length > 0) {
    const [entity] = roots.splice(dice.below(roots.length), 1);
    steps.push({ verb: "destroy", entity: entity! });
  }
  return { verb: "burst", steps };
}
