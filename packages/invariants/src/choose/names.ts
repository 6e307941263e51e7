/** Picks steps about names, paths and scopes: few names that meet often, and odd ones that paths have to escape. */

import type { Dice } from "../base/dice.ts";
import type { Command, Step } from "../step/step.ts";
import { entityOfAlias } from "../twin/collisions.ts";
import { stepTo } from "../twin/lookup.ts";
import type { PathText } from "../twin/paths.ts";
import { escapeSlowly } from "../twin/paths.ts";
import type { Twin } from "../twin/rules.ts";
import { ancestorsOf, isAlive, nameOf, parentOf } from "../twin/world.ts";
import { chooseClone, chooseRename, chooseReparent, chooseSpawn, chooseSpawnMany } from "./commands.ts";
import { choosePattern } from "./patterns.ts";
import type { Chooser } from "./terms.ts";
import { aliveOne, below, LABELS, nameFor, newborns, shuffled, someone, storageFor } from "./terms.ts";

/** What stands between steps: one sign, two of the same, two unlike ones, letters, and one that overlaps itself. */
export const SEPARATORS = ["::", ".", "/", "->", "ab", "aba"] as const;
const COMMON = ["a", "b", "a (2)", "a (3)", "b (9)", "a (2) (2)"] as const;
const SIGNS = [..."::..//-->abab\\\\##12\"'*? (é", "🚀", "🚀", "🚀", "\uD83D", "\uDE80", "(2)"] as const;
/** More than a path has steps. */
const LONGEST = 6;

/** Names of one walk; of some walks so few that nearly all siblings would like to have one. */
export function createNames(dice: Dice): string[] {
  const odd = Array.from({ length: 3 }, () => {
    return Array.from({ length: 1 + dice.below(4) }, () => dice.pick(SIGNS)).join("");
  });
  const names = [odd.pop()!, "a", dice.pick(COMMON), dice.pick(COMMON), ...odd];
  return dice.chance(0.5) ? names : names.slice(0, 3);
}

// ---- paths -------------------------------------------------------------------------------------------------------

interface Way {
  readonly path: PathText;
  readonly from?: Twin | undefined;
  readonly separator?: string | undefined;
}

/** To somebody who lives, or a little beside; now and then no path at all. */
function chooseWay(chooser: Chooser): Way {
  const { dice, slow } = chooser;
  const given = dice.chance(0.15) ? dice.pick(SEPARATORS) : undefined;
  const separator = dice.chance(0.01) ? dice.pick(["", "#", "a1", "\\"]) : given;
  const between = given ?? slow.names.separator;
  const from = dice.chance(0.4) ? someone(chooser) : undefined;
  if (dice.chance(0.04)) return { path: oddText(chooser, between), from, separator };

  const line = lineTo(chooser, from);
  if (dice.chance(0.3)) {
    const nameAt = (twin: Twin | undefined): string | undefined => {
      return twin === undefined ? undefined : nameOf(slow, twin);
    };
    return { path: line.map((twin) => nameAt(twin) ?? nameFor(chooser)), from, separator };
  }
  const steps = line.map((twin) => stepFor(chooser, twin, between));
  if (dice.chance(0.06)) steps.unshift(dice.pick(["#0", "#999999", "#7x"]));
  const isAbsolute = dice.chance(0.15);
  return { path: (isAbsolute ? between : "") + steps.join(between), from, separator };
}

/** Whom the steps lead to, one below the other; nothing for who is not there. */
function lineTo(chooser: Chooser, from: Twin | undefined): (Twin | undefined)[] {
  const { dice, slow } = chooser;
  const goal = aliveOne(chooser);
  let line: (Twin | undefined)[] = [goal, ...ancestorsOf(slow, goal)].reverse();
  if (from !== undefined && line.includes(from)) line = line.slice(line.indexOf(from) + 1);
  if (dice.chance(0.1)) line = line.slice(dice.below(line.length)); // may begin with an alias, or lead nowhere
  if (dice.chance(0.3)) line.pop();
  while (dice.chance(0.4) || line.length === 0) {
    line.push(undefined);
    if (dice.chance(0.02)) break;
  }
  return line.slice(0, LONGEST);
}

function stepFor(chooser: Chooser, twin: Twin | undefined, separator: string): string {
  const { dice, slow } = chooser;
  if (twin === undefined) {
    const name = nameFor(chooser);
    return dice.chance(0.05) ? `#${slow.indexOf(aliveOne(chooser))}` : escapeSlowly(name, separator);
  }
  const alias = slow.living.get(twin)?.objects.get("Alias") as string | undefined;
  if (alias !== undefined && dice.chance(0.5)) return escapeSlowly(alias, separator);
  return dice.chance(0.05) ? `#${slow.indexOf(twin)}` : stepTo(slow, twin, separator);
}

/** Empty, with empty steps, cut off, with more backslashes than there need be. */
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
  const way = isAgain ? naming.last! : chooseWay(chooser);
  if (naming !== undefined) naming.last = way;
  return { verb: "ensurePath", ...way, storage: storageFor(chooser), born: newborns(chooser, LONGEST + 2) };
}

export function chooseSeek(chooser: Chooser): Command {
  const { dice } = chooser;
  const way = chooseWay(chooser);
  const upwards = dice.chance(0.4) ? true : undefined;
  if (dice.chance(0.25)) return seekElsewhere(chooser, upwards);
  const search = dice.chance(0.2) ? scopesFor(chooser) : undefined;
  return { verb: "seek", ...way, upwards, search };
}

/** A name that children of several parents may have. */
function seekElsewhere(chooser: Chooser, upwards: true | undefined): Command {
  const { dice, slow } = chooser;
  const children = [...slow.living].filter(
    ([, { parent, objects }]) => parent !== undefined && objects.has("Name"),
  );
  if (children.length === 0) return { verb: "seek", path: [nameFor(chooser)], upwards };
  const [, { objects }] = dice.pick(children);
  const name = objects.get("Name") as string;
  const parents = children
    .filter(([, being]) => being.objects.get("Name") === name)
    .map(([, { parent }]) => parent!);
  return { verb: "seek", path: [name], from: aliveOne(chooser), upwards, search: shuffled(dice, parents) };
}

function chooseSeekAll(chooser: Chooser): Command {
  const { dice, slow } = chooser;
  const separator = dice.chance(0.15) ? dice.pick(SEPARATORS) : undefined;
  const from = dice.chance(0.3) ? someone(chooser) : undefined;
  const pattern = choosePattern(chooser, separator ?? slow.names.separator);
  return { verb: "seekAll", pattern, from, separator };
}

function chooseTold(chooser: Chooser): Command {
  const { dice } = chooser;
  const entity = someone(chooser);
  const parent = dice.chance(0.3) ? undefined : someone(chooser);
  const from = dice.chance(0.6) ? someone(chooser) : undefined;
  const separator = dice.chance(0.3) ? dice.pick(SEPARATORS) : undefined;
  return dice.pick<Command>([
    { verb: "tellPath", entity, from, separator },
    { verb: "tellPath", entity, from, separator },
    { verb: "tellLabel", entity },
    { verb: "seekLabel", label: dice.pick(LABELS) },
    { verb: "seekChild", parent, name: nameFor(chooser) },
  ]);
}

/** Born with nothing but a name: below whom is left to the scope. */
function chooseBareSpawn(chooser: Chooser): Command {
  const terms = [{ what: "Name", value: nameFor(chooser) }];
  const { dice } = chooser;
  if (dice.chance(0.3)) return { verb: "spawnMany", born: newborns(chooser, 1 + dice.below(4)), terms };
  return { verb: "spawn", born: [chooser.named++], terms };
}

const WITHIN: readonly ((chooser: Chooser) => Command)[] = [
  chooseBareSpawn,
  chooseBareSpawn,
  chooseSpawn,
  chooseSpawnMany,
  (chooser) => ({ ...chooseClone(chooser), isDeep: false }),
  chooseEnsure,
  chooseEnsure,
  chooseSeek,
  chooseSeekAll,
  chooseTold,
  chooseRename,
  chooseReparent,
  (chooser) => ({ verb: "destroy", entity: aliveOne(chooser) }),
];

export function chooseWithin(chooser: Chooser): Command {
  return within(chooser, 0);
}

function within(chooser: Chooser, depth: number): Command {
  const { dice } = chooser;
  const parent = dice.chance(0.15) ? undefined : someone(chooser);
  const steps: Command[] = [];
  const count = 1 + dice.below(4);
  while (steps.length < count) {
    const luck = dice.below(20);
    if (luck === 0 && parent !== undefined)
      steps.push({ verb: "destroy", entity: parent }, chooseBareSpawn(chooser));
    else if (luck <= 2 && depth < 2) steps.push(within(chooser, depth + 1));
    else steps.push(dice.pick(WITHIN)(chooser));
  }
  return { verb: "within", parent, isTorn: dice.chance(0.15), steps };
}

/** Inside visits these are chosen as well. */
export const NAME_COMMANDS: readonly ((chooser: Chooser) => Command)[] = [
  chooseEnsure,
  chooseEnsure,
  chooseEnsure,
  chooseSeek,
  chooseSeekAll,
  chooseTold,
  chooseWithin,
];

/** More of one name than there are numbers to try one by one. */
export function chooseNamesakes(chooser: Chooser): Step {
  const terms = [{ what: "Name", value: nameFor(chooser) }, below(chooser, aliveOne(chooser))];
  return { verb: "spawnMany", born: newborns(chooser, 5 + chooser.dice.below(20)), terms };
}

/** Many questions at once; patterns mostly. */
export function chooseQuestions(chooser: Chooser): Step {
  const kinds = [chooseSeekAll, chooseSeekAll, chooseSeekAll, chooseSeek, chooseTold];
  const steps = Array.from({ length: 6 }, () => chooser.dice.pick(kinds)(chooser));
  const parent = chooser.dice.chance(0.2) ? aliveOne(chooser) : undefined;
  return { verb: "within", parent, isTorn: false, steps };
}

export function chooseMeddling(chooser: Chooser): Step {
  const { dice, isStrict } = chooser;
  if (!isStrict) return chooseEnsure(chooser);
  const rename: Command = { verb: "rename", entity: aliveOne(chooser), name: nameFor(chooser) };
  return { verb: "meddle", step: dice.chance(0.3) ? rename : chooseEnsure(chooser) };
}

export function chooseHold(chooser: Chooser): Step {
  const scope = chooser.dice.chance(0.2) ? someone(chooser) : undefined;
  return { verb: "hold", slot: chooser.dice.below(6), ...chooseWay(chooser), scope };
}

export function chooseConfigure(chooser: Chooser): Step {
  const { dice } = chooser;
  const step: {
    verb: "configure";
    collisions?: "error" | "suffix" | "allow";
    separator?: string;
    search?: Twin[];
  } = { verb: "configure" };
  if (dice.chance(0.4)) step.collisions = dice.pick(["error", "suffix", "allow"]);
  if (dice.chance(0.05)) return { verb: "configure", separator: "a#" };
  if (dice.chance(0.3)) step.separator = dice.pick(SEPARATORS);
  if (dice.chance(0.5)) step.search = scopesFor(chooser);
  return step;
}

function scopesFor(chooser: Chooser): Twin[] {
  return Array.from({ length: chooser.dice.below(4) }, () => aliveOne(chooser));
}

/** No name at all, now and then; or the name that is there already, or that and another storage. */
export function chooseRenaming(chooser: Chooser): Step {
  const { dice, slow } = chooser;
  const entity = aliveOne(chooser);
  const name = nameOf(slow, entity);
  const parent = parentOf(slow, entity);
  if (dice.chance(0.02)) return { verb: "rename", entity, name: "" };
  if (name === undefined || dice.chance(0.7)) return chooseRename(chooser);
  const same = { what: "Name", value: name };
  if (parent === undefined) return { verb: "set", entity, term: same };
  return { verb: "add", entity, terms: dice.chance(0.5) ? [same] : [same, below(chooser, parent)] };
}

/** More names than are kept of those that nobody has any more. */
export function chooseManyNames(chooser: Chooser): Step {
  const entity = aliveOne(chooser);
  const steps = Array.from(
    { length: 80 },
    (_, at): Step => ({ verb: "rename", entity, name: `${chooser.named} ${at}` }),
  );
  return { verb: "burst", steps };
}

/** An alias that is taken, or the name of a root; or one that somebody has already given up. */
export function chooseAlias(chooser: Chooser): Step {
  const { dice, slow } = chooser;
  const entity = someone(chooser);
  const value = (dice.chance(0.3) ? nameOf(slow, dice.pick(slow.roots)) : undefined) ?? nameFor(chooser);
  const holder = entityOfAlias(slow, value);
  if (holder !== undefined && isAlive(slow, holder) && dice.chance(0.3)) {
    return { verb: "remove", entity: holder, what: "Alias" };
  }
  return { verb: "set", entity, term: { what: "Alias", value: dice.chance(0.03) ? "" : value } };
}
