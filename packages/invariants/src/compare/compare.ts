/** Holds the real world against its twin, entity by entity. The first difference is thrown as an Error. */
import { isAlive } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { verbs } from "../base/entry-points.ts";
import { isOn } from "../base/features.ts";
import type { FastWorld } from "../step/fast-world.ts";
import { handleOf } from "../step/fast-world.ts";
import { same, sameColumns, sameValue } from "../step/same.ts";
import { definitionOf, isObject, isUsable, rules } from "../step/vocabulary.ts";
import type { Twin } from "../twin/rules.ts";
import type { SlowWorld } from "../twin/world.ts";
import { get, has, isDisabled } from "../twin/world.ts";
import { comparePairs } from "./pairs.ts";
import type { Round, Watched } from "./round.ts";
import { EVERYTHING, isSampled } from "./round.ts";
import { compareFamilies, compareNames } from "./siblings.ts";

/** Pairs are looked at of those who have changed, and of one in so many others. */
const PAIRS_SELDOM = 3;

/** Walks count their twins from 1. */
const NEVER_BORN: Twin = 0;

/** @throws Error that names the broken invariants of the real world. */
export function compareInvariants(fast: FastWorld): void {
  const broken = verify(fast.world);
  if (broken.length > 0) throw new Error(`broken invariants: ${broken.join("; ")}`);
}

/** @throws Error that says what differs. */
export function compareWorlds(fast: FastWorld, slow: SlowWorld, watched: Watched, turn: number): void {
  const living = [...slow.living.keys()];
  const round: Round = { fast, slow, watched, turn, living };
  comparePeople(round);
  compareFamilies(round);
  living.forEach((twin, at) => {
    if (!isSampled(round, at)) return;
    compareComponents(round, twin);
    const isTouched = slow.before.has(twin) || (at + turn) % PAIRS_SELDOM === 0;
    if (isTouched) comparePairs(round, twin, living[(at + turn) % living.length]!);
  });
  if (living.length > 0 && isSampled(round, 0))
    compareNames(round, [undefined, ...living][turn % (living.length + 1)]);
  if (isOn("definitions")) compareDefinitions(round);
}

/** All living ones, and the dead: some in turn, and those that died last. */
function comparePeople({ fast, slow, turn, living }: Round): void {
  for (const twin of living) {
    same(isAlive(fast.world, handleOf(fast, twin)), true, () => `e${twin} is alive`);
  }
  const { born } = fast;
  for (const twin of [NEVER_BORN, born[turn % born.length] ?? NEVER_BORN, ...born.slice(-40)]) {
    const isLiving = slow.living.has(twin);
    same(isAlive(fast.world, handleOf(fast, twin)), isLiving, () => `e${twin} is alive`);
  }
}

function compareComponents({ fast, slow, watched, turn }: Round, twin: Twin): void {
  const { world } = fast;
  const handle = handleOf(fast, twin);
  for (const what of rules.tags) {
    if (!isUsable(what)) continue;
    same(verbs.has(world, handle, definitionOf(what)), has(slow, twin, what), () => `e${twin} has ${what}`);
  }
  if (isOn("disabled")) {
    same(verbs.isDisabled(world, handle), isDisabled(slow, twin), () => `e${twin} is disabled`);
  }
  for (const what of watched.components) {
    const seen = verbs.get(world, handle, definitionOf(what));
    sameValue(fast, what, seen, get(slow, twin, what), () => `${what} of e${twin}`);
  }

  const what = EVERYTHING.components[turn % EVERYTHING.components.length]!;
  const definition = definitionOf(what);
  const expected = get(slow, twin, what);
  same(verbs.has(world, handle, definition), expected !== undefined, () => `e${twin} has ${what}`);
  const place = verbs.locate(world, handle, definition);
  sameColumns(fast, what, place?.columns, place?.row ?? 0, expected, () => `located ${what} of e${twin}`);
  if (isObject(what)) return;
  const into = {};
  const isThere = verbs.read(world, handle, definition, into);
  sameValue(fast, what, isThere ? into : undefined, expected, () => `${what} read of e${twin}`);
}

/** Those who stand for definitions are who they were, and nobody else stands for one. */
function compareDefinitions({ fast, slow, living, turn }: Round): void {
  for (const [what, twin] of slow.stands) {
    const handle = handleOf(fast, twin);
    same(verbs.definitionAt(fast.world, handle), definitionOf(what), () => `definition at e${twin}`);
    same(verbs.entityOf(fast.world, definitionOf(what)), handle, () => `entity of ${what}`);
  }
  const twin = living[turn % living.length];
  if (twin === undefined || [...slow.stands.values()].includes(twin)) return;
  const found = verbs.definitionAt(fast.world, handleOf(fast, twin));
  same(found, undefined, () => `definition at e${twin}`);
}
