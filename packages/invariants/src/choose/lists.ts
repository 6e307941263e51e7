/** Picks commands about lists of entities, from dice of their own. */
import type { Dice } from "../base/dice.ts";
import { createDice } from "../base/dice.ts";
import type { Command, SpawnRows } from "../step/step.ts";
import { isObject, rules } from "../step/vocabulary.ts";
import { badTerm } from "../twin/refusals.ts";
import type { Fields, Twin } from "../twin/rules.ts";
import { childrenOf } from "../twin/world.ts";
import { anyId, chooseRemove } from "./commands.ts";
import type { Chooser } from "./terms.ts";
import {
  addedTerms,
  anyEntity,
  anyParent,
  below,
  nameFor,
  newTwins,
  shuffled,
  spawnTerms,
  storageFor,
  valuedComponent,
} from "./terms.ts";

/** How often a step, or a command inside an iteration, is about a list. */
const LIKELIHOOD = 0.1;

/** The dice of a walk for commands about lists: how these are drawn does not change which other steps a seed takes. */
export function createListDice(seed: number): Dice {
  return createDice(seed + 3_000_000);
}

/** @returns `undefined` if it is the turn of another command, or the walk has none about lists. */
export function chooseListInTurn(chooser: Chooser): Command | undefined {
  const { lists: dice } = chooser;
  if (dice === undefined || !dice.chance(LIKELIHOOD)) return undefined;
  const own: Chooser = { ...chooser, dice };
  const command = dice.pick(LISTS)(own);
  chooser.nextTwin = own.nextTwin;
  return command;
}

const LISTS: readonly ((chooser: Chooser) => Command)[] = [
  chooseSpawnRows,
  chooseSpawnRows,
  chooseAddMany,
  chooseRemoveMany,
  chooseReparentMany,
  chooseReparentMany,
  chooseDestroyMany,
  chooseNameMany,
];

/** Children of one parent, which often share a table, and any entities; now and then one twice. */
function listFor(chooser: Chooser): Twin[] {
  const { dice, naive } = chooser;
  const parent = anyParent(chooser);
  const children = naive.living.has(parent) ? childrenOf(naive, parent) : [];
  const list = dice.chance(0.6) ? children.filter(() => dice.chance(0.5)) : [];
  for (let more = list.length === 0 ? 1 + dice.below(4) : dice.below(3); more > 0; more--)
    list.push(anyEntity(chooser));
  if (dice.chance(0.1)) list.push(dice.pick(list.length > 0 ? list : [parent]));
  return shuffled(dice, list);
}

function chooseSpawnRows(chooser: Chooser): Command {
  const { dice } = chooser;
  const spawned = newTwins(chooser, 1 + dice.below(5));
  let terms = spawnTerms(chooser);
  let step: SpawnRows = { verb: "spawnRows", spawned, terms };
  if (dice.chance(0.6)) {
    const likely = [anyEntity(chooser), anyEntity(chooser)];
    const what = storageFor(chooser);
    terms = terms.filter((term) => term.what !== "ChildOf" && term.what !== "Parent");
    step = { ...step, parents: { what, targets: spawned.map(() => dice.pick(likely)) } };
  }
  if (dice.chance(0.4)) {
    terms = terms.filter((term) => term.what !== "Name");
    step = { ...step, names: spawned.map(() => nameFor(chooser)) };
  }
  const able = terms.filter(
    ({ what }) =>
      what !== "Name" && what !== "Alias" && (isObject(what) || rules.schemas[what] !== undefined),
  );
  if (able.length > 0 && dice.chance(0.7)) {
    const { what } = dice.pick(able);
    const values = spawned.map(() => valuedComponent(chooser, what).value);
    step = {
      ...step,
      filled: isObject(what) ? { what, values } : { what, fields: values.map(onlyGiven) },
    };
  }
  return { ...step, terms };
}

function onlyGiven(value: unknown): Fields {
  return Object.fromEntries(Object.entries(value as Fields).filter(([, field]) => field !== undefined));
}

function chooseAddMany(chooser: Chooser): Command {
  const { dice, naive } = chooser;
  const terms = dice.chance(0.15) ? [below(chooser, anyEntity(chooser))] : addedTerms(chooser);
  const list = listFor(chooser);
  const isBad = badTerm(naive, terms, () => true) !== undefined;
  // With two errors at once, either may be reported.
  return { verb: "addMany", list: isBad ? list.filter((twin) => naive.living.has(twin)) : list, terms };
}

function chooseRemoveMany(chooser: Chooser): Command {
  const { dice } = chooser;
  const list = listFor(chooser);
  if (dice.chance(0.25)) return { verb: "removeMany", list, what: "ChildOf", target: "Any" };
  if (dice.chance(0.3)) return { verb: "removeMany", list, ...anyId(chooser) };
  const { what, target } = chooseRemove(chooser) as Extract<Command, { verb: "remove" }>;
  return { verb: "removeMany", list, what, ...(target === undefined ? {} : { target }) };
}

/** Parents are often among the list, so that a move depends on those before it. */
function chooseReparentMany(chooser: Chooser): Command {
  const { dice } = chooser;
  const list = listFor(chooser);
  const likely = [anyEntity(chooser), anyEntity(chooser), ...(dice.chance(0.3) ? list : [])];
  const parents = dice.chance(0.4) ? likely[0]! : list.map(() => dice.pick(likely));
  const step = { verb: "reparentMany", list, parents } as const;
  return dice.chance(0.6) ? step : { ...step, storage: storageFor(chooser) };
}

function chooseDestroyMany(chooser: Chooser): Command {
  return { verb: "destroyMany", list: listFor(chooser).slice(0, 3) };
}

/** Often the names that they have, in another order. */
function chooseNameMany(chooser: Chooser): Command {
  const { dice, naive } = chooser;
  const list = listFor(chooser);
  const own = list.map((twin) => (naive.living.get(twin)?.objects.get("Name") as string) ?? nameFor(chooser));
  const names = dice.chance(0.5) ? shuffled(dice, own) : list.map(() => nameFor(chooser));
  return { verb: "nameMany", list, names };
}
