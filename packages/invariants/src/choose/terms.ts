/** Picks random entities, names, values and terms for the steps of a walk. */
import type { Dice } from "../base/dice.ts";
import { isOn } from "../base/features.ts";
import type { Command } from "../step/step.ts";
import { fieldsOf, isObject, isUsable, isValueOptional, rules } from "../step/vocabulary.ts";
import type { FieldKind, FieldValue, NaiveTerm, Twin } from "../twin/rules.ts";
import type { NaiveWorld, Storage } from "../twin/world.ts";

/** The part of the vocabulary that one walk uses: with few archetypes, entities share them more often. */
interface Palette {
  readonly components: readonly string[];
  /** Includes ChildOf. */
  readonly relations: readonly string[];
}

/** How a walk stores parents: in one storage, or in both. */
export type WalkKind = Storage | "mixed";

export interface Chooser {
  readonly dice: Dice;
  readonly naive: NaiveWorld;
  readonly palette: Palette;
  readonly kind: WalkKind;
  /** The world reuses indexes: steps that recycle more of them are useful. */
  readonly reusesIndexes: boolean;
  /** Changes inside iterations are refused. */
  readonly isStrict: boolean;
  /** Above this number of living entities, destruction becomes likely. */
  readonly cap: number;
  /** The number of the next twin: one more than the number of twins so far. */
  nextTwin: number;
  /** The number of the next clone. */
  nextClone: number;
  /** The entities that the commands of one iteration refer to repeatedly, including those spawned in it. */
  focus: readonly Twin[];
  /** Dice for commands about lists, so that the other steps of a seed do not depend on how these are drawn; none: there are none. */
  readonly lists?: Dice;
  /** The same for writes to numbers of arrays. */
  readonly arrays?: Dice;
  /** Walks about names use these names, and also choose among these commands. */
  readonly naming?: Naming;
}

interface Naming {
  readonly names: readonly string[];
  /** What iterations issue in addition to the other commands. */
  readonly commands: readonly ((chooser: Chooser) => Command)[];
  /** The last path of `ensurePath`: inside iterations, naming the same path twice is the interesting case. */
  last: Pick<Extract<Command, { verb: "ensurePath" }>, "path" | "from" | "separator" | "prefix"> | undefined;
}

/** Few names, so that they collide; unusual ones, so that paths must escape them. */
const NAMES = ["a", "b", "c", "Ship", "x::y", ":", "a:", "\\", "to be", "é🚀", "..", "#1", "c\\:"] as const;
const NUMBERS = [0, 1, -1, 0.1, -2.5, 3e7, 1e-3] as const;
const FLOATS = [...NUMBERS, -0, Number.NaN, Number.POSITIVE_INFINITY] as const;
/** Without `undefined`, which means no value. */
const VALUES = ["", "plain", 0, Number.NaN, true, null, { x: 1 }] as const;
const MESHES = ["cube", "sphere", ""] as const;
export const LABELS = ["", "a", "the first", "#3"] as const;

const RARE_TAGS = rules.tags.filter((what) => isUsable(what) && what !== "Frozen" && what !== "Lit");

export function createPalette(dice: Dice): Palette {
  const components = someOf(dice, [...Object.keys(rules.schemas), "Mesh", "Tint"], 3);
  const relations = someOf(
    dice,
    Object.keys(rules.relations).filter((what) => isUsable(what) && what !== "Parent" && what !== "ChildOf"),
    4,
  );
  return { components, relations: [...relations, "ChildOf"] };
}

function someOf(dice: Dice, all: readonly string[], count: number): string[] {
  const left = [...all];
  while (left.length > count) left.splice(dice.below(left.length), 1);
  return left;
}

export function shuffled<Item>(dice: Dice, items: readonly Item[]): Item[] {
  const left = [...items];
  return items.map(() => left.splice(dice.below(left.length), 1)[0]!);
}

// ---- entities ----------------------------------------------------------------------------------------------------

/** Usually a living entity; now and then one that was destroyed recently or never spawned. */
export function anyEntity(chooser: Chooser): Twin {
  const { dice, nextTwin, focus } = chooser;
  if (dice.chance(0.03) && nextTwin > 1) return nextTwin - 1 - dice.below(Math.min(20, nextTwin - 1));
  if (focus.length > 0 && dice.chance(0.5)) return dice.pick(focus);
  return aliveEntity(chooser);
}

export function aliveEntity({ dice, naive }: Chooser): Twin {
  return dice.pick([...naive.living.keys()]);
}

/** Usually an entity that has children, if there is one. */
export function anyParent(chooser: Chooser): Twin {
  const { dice, naive } = chooser;
  const parents = [...naive.living].filter(([, { children }]) => children.length > 1).map(([twin]) => twin);
  return parents.length > 0 && dice.chance(0.9) ? dice.pick(parents) : anyEntity(chooser);
}

export function newTwins(chooser: Chooser, count: number): Twin[] {
  return Array.from({ length: count }, () => chooser.nextTwin++);
}

export function definitionsByEntity({ naive }: Chooser, twin: Twin): string | undefined {
  return [...naive.componentEntities].find(([, entity]) => entity === twin)?.[0];
}

/** An entity that as a tag means itself, a tag or a component that needs no value. */
export function tagEntity(chooser: Chooser): Twin | undefined {
  const twin = anyEntity(chooser);
  const what = definitionsByEntity(chooser, twin);
  const isPlain =
    what === undefined ||
    rules.tags.includes(what) ||
    (rules.relations[what] === undefined && isValueOptional(what));
  return isPlain ? twin : undefined;
}

// ---- terms -------------------------------------------------------------------------------------------------------

export function storageFor({ dice, kind }: Chooser): Storage {
  if (kind !== "mixed") return kind;
  return dice.chance(0.5) ? "ChildOf" : "Parent";
}

/** A parent, stored as this kind of walk stores parents. */
export function below(chooser: Chooser, target: Twin): NaiveTerm {
  return { what: storageFor(chooser), target };
}

export function spawnTerms(chooser: Chooser): NaiveTerm[] {
  const { dice } = chooser;
  const terms = termsWithoutRepeats(chooser, dice.below(4));
  if (dice.chance(0.65)) terms.push(below(chooser, anyEntity(chooser)));
  if (dice.chance(chooser.naming === undefined ? 0.35 : 0.7)) addName(chooser, terms);
  return terms;
}

/** Now and then a new parent and a new name at once: they must fit together. */
export function addedTerms(chooser: Chooser): NaiveTerm[] {
  const { dice } = chooser;
  const terms = termsWithoutRepeats(chooser, 1 + dice.below(2));
  if (dice.chance(0.1)) terms.push(below(chooser, anyEntity(chooser)));
  if (dice.chance(0.1)) addName(chooser, terms);
  return isOn("bad terms") && dice.chance(0.03) ? [...terms, ...badTerms(chooser)] : terms;
}

function addName(chooser: Chooser, terms: NaiveTerm[]): void {
  const value = nameFor(chooser);
  if (!terms.some(({ what }) => what === "Name")) terms.push({ what: "Name", value });
}

function badTerms(chooser: Chooser): NaiveTerm[] {
  const target = aliveEntity(chooser);
  return chooser.dice.pick<NaiveTerm[]>([
    [{ what: "Likes", target: "Any" }],
    [{ what: "Any", target }],
    [{ what: "Any", target: "Any" }],
    [{ what: "ChildOf", target: "Any" }],
    [
      { what: "ChildOf", target },
      { what: "Parent", target },
    ],
  ]);
}

/** One of each definition; of relations with many targets, two at most. */
function termsWithoutRepeats(chooser: Chooser, count: number): NaiveTerm[] {
  const found = new Map<string, NaiveTerm>();
  for (let at = 0; at < count; at++) {
    const term = anyTerm(chooser);
    const isSecond = found.has(term.what) && rules.relations[term.what]?.exclusive === false;
    const isSame = found.get(term.what)?.target === term.target;
    found.set(isSecond && !isSame ? `${term.what} again` : term.what, term);
  }
  const entityTag = found.get("Is");
  const definition = entityTag && definitionsByEntity(chooser, entityTag.target as Twin);
  if (definition !== undefined) found.delete(definition); // otherwise it is added twice
  return [...found.values()];
}

function anyTerm(chooser: Chooser): NaiveTerm {
  const { dice, palette } = chooser;
  if (dice.chance(0.3)) return { what: tagFor(chooser) };
  if (dice.chance(0.4)) return pairTerm(chooser);
  const what = dice.pick(palette.components);
  return dice.chance(0.3) && isValueOptional(what) ? { what } : valuedComponent(chooser, what);
}

export function tagFor({ dice }: Chooser): string {
  return dice.chance(0.7) ? dice.pick(["Frozen", "Lit"]) : dice.pick(RARE_TAGS);
}

/** A value to set: of a component or a pair, sometimes of an object component. */
export function valuedTerm(chooser: Chooser): NaiveTerm {
  const { dice, palette } = chooser;
  if (dice.chance(0.1)) return { what: "Name", value: nameFor(chooser) };
  const what = dice.pick([...palette.components, ...palette.relations]);
  if (rules.relations[what] === undefined) return valuedComponent(chooser, what);
  return fieldsOf(what) === undefined ? valuedTerm(chooser) : valuedPair(chooser, what);
}

function pairTerm(chooser: Chooser): NaiveTerm {
  const { dice, palette } = chooser;
  if (isOn("entity tags") && dice.chance(0.15)) {
    const target = tagEntity(chooser);
    return target === undefined ? { what: "Lit" } : { what: "Is", target };
  }
  const what = dice.pick(palette.relations);
  if (what === "ChildOf" || (what === "Guards" && dice.chance(0.5))) return { what: "Lit" };
  const hasFields = fieldsOf(what) !== undefined;
  return hasFields && dice.chance(0.7) ? valuedPair(chooser, what) : { what, target: anyEntity(chooser) };
}

function valuedPair(chooser: Chooser, what: string): NaiveTerm {
  return { ...valuedComponent(chooser, what), target: anyEntity(chooser) };
}

export function valuedComponent(chooser: Chooser, what: string): NaiveTerm {
  if (what === "Mesh") return { what, value: chooser.dice.pick(MESHES) };
  if (what === "Tint") return { what, value: chooser.dice.pick(VALUES) };
  if (what === "Label") return { what, value: chooser.dice.pick(LABELS) };
  if (isObject(what)) return { what, value: nameFor(chooser) };
  const value: Record<string, FieldValue> = {};
  for (const [field, kind] of Object.entries(fieldsOf(what) ?? {})) {
    if (chooser.dice.chance(0.7)) value[field] = fieldValueOf(chooser, kind);
  }
  return { what, value };
}

export function numberFor({ dice }: Chooser): number {
  return dice.pick(NUMBERS);
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
      return dice.below(dice.chance(0.5) ? 5 : 2 ** 32); // small values are sometimes equal, which tests sorting
    case "bool":
      return dice.chance(0.5);
    case "entity":
      return dice.chance(0.8) ? aliveEntityIfAny(chooser) : undefined;
    case "text":
      return dice.chance(0.2) ? undefined : dice.pick(MESHES);
    case "value":
      return dice.chance(0.2) ? undefined : dice.pick(VALUES);
    case "four f32":
      return [dice.pick(FLOATS), dice.pick(FLOATS), dice.pick(FLOATS), dice.pick(FLOATS)];
  }
}

function aliveEntityIfAny(chooser: Chooser): Twin | undefined {
  return chooser.naive.living.size === 0 ? undefined : aliveEntity(chooser);
}

export function nameFor(chooser: Chooser): string {
  const { dice, naming } = chooser;
  if (naming !== undefined) return dice.pick(naming.names); // with two errors at once, either may be reported
  return dice.chance(0.03) ? "" : dice.pick(NAMES);
}
