/** Picks steps about names, paths and scopes: few names, which collide often, and unusual names that paths must escape. */

import type { Dice } from "../base/dice.ts";
import type { Command, Step } from "../step/step.ts";
import { entityOfAlias } from "../twin/collisions.ts";
import { stepTo } from "../twin/lookup.ts";
import type { PathText } from "../twin/paths.ts";
import { escapeNaively } from "../twin/paths.ts";
import type { Twin } from "../twin/rules.ts";
import { isAlive, nameOf, parentOf, scopesAbove } from "../twin/world.ts";
import { chooseClone, chooseRename, chooseReparent, chooseSpawn, chooseSpawnMany } from "./commands.ts";
import { choosePattern } from "./patterns.ts";
import type { Chooser } from "./terms.ts";
import { aliveEntity, anyEntity, below, LABELS, nameFor, newTwins, shuffled, storageFor } from "./terms.ts";

/** Separators: one character, two equal ones, two different ones, letters, and one that overlaps itself. */
export const SEPARATORS = ["::", ".", "/", "->", "ab", "aba"] as const;
const COMMON = ["a", "b", "a (2)", "a (3)", "b (9)", "a (2) (2)"] as const;
const SIGNS = [..."::..//-->abab\\\\##12\"'*? (é", "🚀", "🚀", "🚀", "\uD83D", "\uDE80", "(2)"] as const;
/** Relations that names follow. */
export const ALONG: readonly (readonly string[])[] = [
  [],
  ["MemberOf"],
  ["StoredIn", "MemberOf"],
  ["MemberOf", "Follows"],
];
/** The maximum number of steps of a path. */
const LONGEST = 6;

/** The names of one walk; half of the walks have so few that nearly all siblings compete for them. */
export function createNames(dice: Dice): string[] {
  const odd = Array.from({ length: 3 }, () => {
    return Array.from({ length: 1 + dice.below(4) }, () => dice.pick(SIGNS)).join("");
  });
  const names = [odd.pop()!, "a", dice.pick(COMMON), dice.pick(COMMON), ...odd];
  return dice.chance(0.5) ? names : names.slice(0, 3);
}

// ---- paths -------------------------------------------------------------------------------------------------------

interface PathChoice {
  readonly path: PathText;
  readonly from?: Twin | undefined;
  readonly separator?: string | undefined;
  readonly prefix?: string | undefined;
}

/** A path to a living entity, or slightly off; now and then text that is not a path. */
function choosePath(chooser: Chooser): PathChoice {
  const { dice, naive } = chooser;
  const given = dice.chance(0.15) ? dice.pick(SEPARATORS) : undefined;
  const separator = dice.chance(0.01) ? dice.pick(["", "#", "a1", "\\"]) : given;
  const between = given ?? naive.names.separator;
  const from = dice.chance(0.4) ? anyEntity(chooser) : undefined;
  const prefix = prefixFor(chooser);
  if (dice.chance(0.04)) return { path: oddText(chooser, between), from, separator, prefix };

  const branch = branchTo(chooser, from);
  if (dice.chance(0.3)) {
    const nameAt = (twin: Twin | undefined): string | undefined => {
      return twin === undefined ? undefined : nameOf(naive, twin);
    };
    return { path: branch.map((twin) => nameAt(twin) ?? nameFor(chooser)), from, separator, prefix };
  }
  const steps = branch.map((twin) => stepFor(chooser, twin, between));
  if (dice.chance(0.06)) steps.unshift(dice.pick(["#0", "#999999", "#7x"]));
  const isAbsolute = dice.chance(0.15);
  return { path: (isAbsolute ? (prefix ?? between) : "") + steps.join(between), from, separator, prefix };
}

/** Usually none; also one that a separator or a name begins with, and one that is refused. */
function prefixFor({ dice }: Chooser): string | undefined {
  if (!dice.chance(0.15)) return undefined;
  return dice.chance(0.02) ? dice.pick(["", "#"]) : dice.pick(["/", "::", ":", "a", "ab", "abab", "~"]);
}

/** The entities on the path, topmost first; `undefined` for a step that leads nowhere. */
function branchTo(chooser: Chooser, from: Twin | undefined): (Twin | undefined)[] {
  const { dice, naive } = chooser;
  const goal = aliveEntity(chooser);
  let branch: (Twin | undefined)[] = scopesAbove(naive, goal).reverse();
  if (from !== undefined && branch.includes(from)) branch = branch.slice(branch.indexOf(from) + 1);
  if (dice.chance(0.1)) branch = branch.slice(dice.below(branch.length)); // may begin with an alias, or lead nowhere
  if (dice.chance(0.3)) branch.pop();
  while (dice.chance(0.4) || branch.length === 0) {
    branch.push(undefined);
    if (dice.chance(0.02)) break;
  }
  return branch.slice(0, LONGEST);
}

function stepFor(chooser: Chooser, twin: Twin | undefined, separator: string): string {
  const { dice, naive } = chooser;
  if (twin === undefined) {
    const name = nameFor(chooser);
    return dice.chance(0.05) ? `#${naive.indexOf(aliveEntity(chooser))}` : escapeNaively(name, separator);
  }
  const alias = naive.living.get(twin)?.objects.get("Alias") as string | undefined;
  if (alias !== undefined && dice.chance(0.5)) return escapeNaively(alias, separator);
  return dice.chance(0.05) ? `#${naive.indexOf(twin)}` : stepTo(naive, twin, separator);
}

/** Odd paths: empty, with empty steps, cut off, or with unnecessary backslashes. */
function oddText(chooser: Chooser, separator: string): string {
  const { dice } = chooser;
  const name = nameFor(chooser);
  return dice.pick([
    "",
    separator,
    name,
    `${name}\\`,
    `${name}${separator}`,
    `${separator}${name}`,
    `a${separator}${separator}a`,
    [...name].map((sign) => `\\${sign}`).join(""),
  ]);
}

// ---- steps -------------------------------------------------------------------------------------------------------

function chooseEnsure(chooser: Chooser): Command {
  const { dice, naming } = chooser;
  const isAgain = naming?.last !== undefined && dice.chance(0.4);
  const chosen = isAgain ? naming.last! : choosePath(chooser);
  if (naming !== undefined) naming.last = chosen;
  return {
    verb: "ensurePath",
    ...chosen,
    storage: storageOrRelation(chooser),
    spawned: newTwins(chooser, LONGEST + 2),
  };
}

/** How entities of a path are created: as children, or contained by a relation that names follow. */
function storageOrRelation(chooser: Chooser): string {
  const { along = [] } = chooser.naive.names;
  return along.length > 0 && chooser.dice.chance(0.4) ? chooser.dice.pick(along) : storageFor(chooser);
}

/** Often a living entity goes to where it is already, or below an entity that is below itself. */
export function choosePlace(chooser: Chooser): Command {
  const entity = chooser.dice.chance(0.5) ? anyEntity(chooser) : aliveEntity(chooser);
  const given = chooser.dice.chance(0.01) ? "Likes" : storageOrRelation(chooser);
  const storage = chooser.dice.chance(0.5) ? given : undefined;
  return { verb: "place", entity, ...choosePath(chooser), storage, spawned: newTwins(chooser, LONGEST + 2) };
}

export function chooseLookup(chooser: Chooser): Command {
  const { dice } = chooser;
  const chosen = choosePath(chooser);
  const upwards = dice.chance(0.4) ? true : undefined;
  if (dice.chance(0.25)) return chooseLookupElsewhere(chooser, upwards);
  const search = dice.chance(0.2) ? scopesFor(chooser) : undefined;
  return { verb: "lookup", ...chosen, upwards, search };
}

/** A name that children of several parents may have. */
function chooseLookupElsewhere(chooser: Chooser, upwards: true | undefined): Command {
  const { dice, naive } = chooser;
  const children = [...naive.living].filter(
    ([, { parent, objects }]) => parent !== undefined && objects.has("Name"),
  );
  if (children.length === 0) return { verb: "lookup", path: [nameFor(chooser)], upwards };
  const [, { objects }] = dice.pick(children);
  const name = objects.get("Name") as string;
  const parents = children
    .filter(([, record]) => record.objects.get("Name") === name)
    .map(([, { parent }]) => parent!);
  return {
    verb: "lookup",
    path: [name],
    from: aliveEntity(chooser),
    upwards,
    search: shuffled(dice, parents),
  };
}

function chooseFindAll(chooser: Chooser): Command {
  const { dice, naive } = chooser;
  const separator = dice.chance(0.15) ? dice.pick(SEPARATORS) : undefined;
  const from = dice.chance(0.3) ? anyEntity(chooser) : undefined;
  const pattern = choosePattern(chooser, separator ?? naive.names.separator);
  return { verb: "findAll", pattern, from, separator, prefix: prefixFor(chooser) };
}

function chooseNameQuery(chooser: Chooser): Command {
  const { dice } = chooser;
  const entity = anyEntity(chooser);
  const parent = dice.chance(0.3) ? entity : anyEntity(chooser);
  const from = dice.chance(0.6) ? anyEntity(chooser) : undefined;
  const separator = dice.chance(0.3) ? dice.pick(SEPARATORS) : undefined;
  return dice.pick<Command>([
    { verb: "pathOf", entity, from, separator },
    { verb: "pathOf", entity, from, separator, prefix: prefixFor(chooser) },
    { verb: "labelOf", entity },
    { verb: "findLabelled", label: dice.pick(LABELS) },
    { verb: "childNamed", parent, name: nameFor(chooser) },
  ]);
}

/** Spawns with nothing but a name: the scope decides on the parent. */
function chooseBareSpawn(chooser: Chooser): Command {
  const terms = [{ what: "Name", value: nameFor(chooser) }];
  const { dice } = chooser;
  if (dice.chance(0.3)) return { verb: "spawnMany", spawned: newTwins(chooser, 1 + dice.below(4)), terms };
  return { verb: "spawn", spawned: [chooser.nextTwin++], terms };
}

const WITHIN: readonly ((chooser: Chooser) => Command)[] = [
  chooseBareSpawn,
  chooseBareSpawn,
  chooseSpawn,
  chooseSpawnMany,
  (chooser) => ({ ...chooseClone(chooser), isDeep: false }),
  chooseEnsure,
  chooseEnsure,
  chooseLookup,
  chooseFindAll,
  chooseNameQuery,
  chooseRename,
  chooseReparent,
  (chooser) => ({ verb: "destroy", entity: aliveEntity(chooser) }),
];

export function chooseWithin(chooser: Chooser): Command {
  return within(chooser, 0);
}

function within(chooser: Chooser, depth: number): Command {
  const { dice } = chooser;
  const parent = dice.chance(0.15) ? undefined : anyEntity(chooser);
  const steps: Command[] = [];
  const count = 1 + dice.below(4);
  while (steps.length < count) {
    const luck = dice.below(20);
    if (luck === 0 && parent !== undefined)
      steps.push({ verb: "destroy", entity: parent }, chooseBareSpawn(chooser));
    else if (luck <= 2 && depth < 2) steps.push(within(chooser, depth + 1));
    else steps.push(dice.pick(WITHIN)(chooser));
  }
  return { verb: "within", parent, isThrowing: dice.chance(0.15), steps };
}

/** Walks about names also choose these inside iterations. */
export const NAME_COMMANDS: readonly ((chooser: Chooser) => Command)[] = [
  chooseEnsure,
  chooseEnsure,
  chooseEnsure,
  chooseLookup,
  chooseFindAll,
  chooseNameQuery,
  chooseWithin,
];

/** Spawns more entities of one name than there are numbers that are tried one by one. */
export function chooseNamesakes(chooser: Chooser): Step {
  const terms = [{ what: "Name", value: nameFor(chooser) }, below(chooser, aliveEntity(chooser))];
  return { verb: "spawnMany", spawned: newTwins(chooser, 5 + chooser.dice.below(20)), terms };
}

/** Many name queries at once; mostly patterns. */
export function chooseNameQueries(chooser: Chooser): Step {
  const kinds = [chooseFindAll, chooseFindAll, chooseFindAll, chooseLookup, chooseNameQuery];
  const steps = Array.from({ length: 6 }, () => chooser.dice.pick(kinds)(chooser));
  const parent = chooser.dice.chance(0.2) ? aliveEntity(chooser) : undefined;
  return { verb: "within", parent, isThrowing: false, steps };
}

export function chooseInsideChange(chooser: Chooser): Step {
  const { dice, isStrict } = chooser;
  if (!isStrict) return chooseEnsure(chooser);
  const rename: Command = { verb: "rename", entity: aliveEntity(chooser), name: nameFor(chooser) };
  return { verb: "changeInside", step: dice.chance(0.3) ? rename : chooseEnsure(chooser) };
}

export function chooseKeepPath(chooser: Chooser): Step {
  const scope = chooser.dice.chance(0.2) ? anyEntity(chooser) : undefined;
  return { verb: "keepPath", slot: chooser.dice.below(6), ...choosePath(chooser), scope };
}

export function chooseConfigure(chooser: Chooser): Step {
  const { dice } = chooser;
  const step: {
    verb: "configure";
    collisions?: "error" | "suffix" | "allow";
    separator?: string;
    search?: Twin[];
    along?: readonly string[];
  } = { verb: "configure" };
  if (dice.chance(0.4)) step.along = dice.chance(0.03) ? ["Likes"] : dice.pick(ALONG);
  if (dice.chance(0.4)) step.collisions = dice.pick(["error", "suffix", "allow"]);
  if (dice.chance(0.05)) return { verb: "configure", separator: "a#" };
  if (dice.chance(0.3)) step.separator = dice.pick(SEPARATORS);
  if (dice.chance(0.5)) step.search = scopesFor(chooser);
  return step;
}

function scopesFor(chooser: Chooser): Twin[] {
  return Array.from({ length: chooser.dice.below(4) }, () => aliveEntity(chooser));
}

/** Now and then the empty name; or the name that the entity has already, alone or with another storage. */
export function chooseRenaming(chooser: Chooser): Step {
  const { dice, naive } = chooser;
  const entity = aliveEntity(chooser);
  const name = nameOf(naive, entity);
  const parent = parentOf(naive, entity);
  if (dice.chance(0.02)) return { verb: "rename", entity, name: "" };
  if (name === undefined || dice.chance(0.7)) return chooseRename(chooser);
  const same = { what: "Name", value: name };
  if (parent === undefined) return { verb: "set", entity, term: same };
  return { verb: "add", entity, terms: dice.chance(0.5) ? [same] : [same, below(chooser, parent)] };
}

/** More names than the index keeps of names without an entity. */
export function chooseManyNames(chooser: Chooser): Step {
  const entity = aliveEntity(chooser);
  const steps = Array.from(
    { length: 80 },
    (_, at): Step => ({ verb: "rename", entity, name: `${chooser.nextTwin} ${at}` }),
  );
  return { verb: "burst", steps };
}

/** An alias that is taken, or the name of a root; or removes an alias that an entity has. */
export function chooseAlias(chooser: Chooser): Step {
  const { dice, naive } = chooser;
  const entity = anyEntity(chooser);
  const value = (dice.chance(0.3) ? nameOf(naive, dice.pick(naive.roots)) : undefined) ?? nameFor(chooser);
  const owner = entityOfAlias(naive, value);
  if (owner !== undefined && isAlive(naive, owner) && dice.chance(0.3)) {
    return { verb: "remove", entity: owner, what: "Alias" };
  }
  return { verb: "set", entity, term: { what: "Alias", value: dice.chance(0.03) ? "" : value } };
}
