/** Compares the real world with its twin, entity by entity. Throws the first difference as an Error. */
import { isAlive } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { verbs } from "../base/entry-points.ts";
import { isOn } from "../base/features.ts";
import type { RealWorld } from "../step/real-world.ts";
import { handleOf } from "../step/real-world.ts";
import { same, sameColumns, sameFieldOf, sameValue } from "../step/same.ts";
import { accessesOf, definitionOf, isObject, isUsable, rules } from "../step/vocabulary.ts";
import type { Twin } from "../twin/rules.ts";
import type { NaiveWorld } from "../twin/world.ts";
import { get, has, isDisabled } from "../twin/world.ts";
import { compareLists } from "./lists.ts";
import { comparePairs } from "./pairs.ts";
import type { Round, Watched } from "./round.ts";
import { EVERYTHING, isSampled } from "./round.ts";
import { compareNames, compareTrees } from "./siblings.ts";

/** Compares the pairs of entities that have changed, and of one in this many others. */
const PAIRS_INTERVAL = 3;

/** Walks number their twins from 1. */
const NEVER_SPAWNED: Twin = 0;

/** @throws Error that names the broken invariants of the real world. */
export function compareInvariants(real: RealWorld): void {
  const broken = verify(real.world);
  if (broken.length > 0) throw new Error(`broken invariants: ${broken.join("; ")}`);
}

/** @throws Error that says what differs. */
export function compareWorlds(real: RealWorld, naive: NaiveWorld, watched: Watched, turn: number): void {
  const living = [...naive.living.keys()];
  const round: Round = { real, naive, watched, turn, living };
  compareAlive(round);
  compareTrees(round);
  living.forEach((twin, at) => {
    if (!isSampled(round, at)) return;
    compareComponents(round, twin);
    const isTouched = naive.before.has(twin) || (at + turn) % PAIRS_INTERVAL === 0;
    if (!isTouched) return;
    comparePairs(round, twin, living[(at + turn) % living.length]!);
    compareLists(round, twin);
  });
  if (living.length > 0 && isSampled(round, 0))
    compareNames(round, [undefined, ...living][turn % (living.length + 1)]);
  if (isOn("definitions")) compareDefinitions(round);
}

/** Compares all living entities, and some destroyed ones: one per turn, and those spawned last. */
function compareAlive({ real, naive, turn, living }: Round): void {
  for (const twin of living) {
    same(isAlive(real.world, handleOf(real, twin)), true, () => `e${twin} is alive`);
  }
  const { spawned } = real;
  for (const twin of [
    NEVER_SPAWNED,
    spawned[turn % spawned.length] ?? NEVER_SPAWNED,
    ...spawned.slice(-40),
  ]) {
    const isLiving = naive.living.has(twin);
    same(isAlive(real.world, handleOf(real, twin)), isLiving, () => `e${twin} is alive`);
  }
}

function compareComponents({ real, naive, watched, turn }: Round, twin: Twin): void {
  const { world } = real;
  const handle = handleOf(real, twin);
  for (const what of rules.tags) {
    if (!isUsable(what)) continue;
    same(verbs.has(world, handle, definitionOf(what)), has(naive, twin, what), () => `e${twin} has ${what}`);
  }
  if (isOn("disabled")) {
    same(verbs.isDisabled(world, handle), isDisabled(naive, twin), () => `e${twin} is disabled`);
  }
  for (const what of watched.components) {
    const seen = verbs.get(world, handle, definitionOf(what));
    sameValue(real, what, seen, get(naive, twin, what), () => `${what} of e${twin}`);
  }

  const what = EVERYTHING.components[turn % EVERYTHING.components.length]!;
  const definition = definitionOf(what);
  const expected = get(naive, twin, what);
  same(verbs.has(world, handle, definition), expected !== undefined, () => `e${twin} has ${what}`);
  const place = verbs.locate(world, handle, definition);
  sameColumns(real, what, place?.columns, place?.row ?? 0, expected, () => `located ${what} of e${twin}`);
  if (isObject(what)) return;
  for (const [name, access] of accessesOf(what))
    sameFieldOf(real, what, name, access.get(world, handle), expected, () => `field of ${what} of e${twin}`);
  const into = {};
  const isThere = verbs.read(world, handle, definition, into);
  sameValue(real, what, isThere ? into : undefined, expected, () => `${what} read of e${twin}`);
}

/** Component entities are the same as before, and no other entity is one. */
function compareDefinitions({ real, naive, living, turn }: Round): void {
  for (const [what, twin] of naive.componentEntities) {
    const handle = handleOf(real, twin);
    same(verbs.definitionAt(real.world, handle), definitionOf(what), () => `definition at e${twin}`);
    same(verbs.entityOf(real.world, definitionOf(what)), handle, () => `entity of ${what}`);
  }
  const twin = living[turn % living.length];
  if (twin === undefined || [...naive.componentEntities.values()].includes(twin)) return;
  const found = verbs.definitionAt(real.world, handleOf(real, twin));
  same(found, undefined, () => `definition at e${twin}`);
}
