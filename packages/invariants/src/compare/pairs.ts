/** Compares pairs, their targets and subjects, wildcards and walks along relations with the twin. */
import { queryVerbs, verbs } from "../base/entry-points.ts";
import { isOn } from "../base/features.ts";
import { handleOf, idOf, twinsOf } from "../step/real-world.ts";
import { same, sameValue } from "../step/same.ts";
import { definitionOf, fieldsOf, isTraversable, relationRulesOf } from "../step/vocabulary.ts";
import type { Twin } from "../twin/rules.ts";
import {
  aboveOf,
  belowOf,
  depthOf,
  get,
  has,
  levelOrderOf,
  postOrderOf,
  subjectsOf,
  targetsOf,
} from "../twin/world.ts";
import type { Round } from "./round.ts";
import { EVERYTHING } from "./round.ts";

/** Compares orders below one of this many entities. */
const ORDERS_INTERVAL = 8;

/** @param other an entity that may or may not be a target. */
export function comparePairs(round: Round, twin: Twin, other: Twin): void {
  const { watched, turn } = round;
  for (const what of watched.relations) comparePairsOf(round, what, twin);
  const what = EVERYTHING.relations[turn % EVERYTHING.relations.length]!;
  compareAbsentPair(round, what, twin, other);
  if (isOn("entity tags")) compareHas(round, "Is", twin, other);
  if (isOn("wildcards")) {
    compareHas(round, "Any", twin, other);
    compareHas(round, "Any", twin, "Any");
  }
  if (isOn("walks") && isTraversable(what)) compareWalks(round, what, twin);
  if (isOn("targets")) {
    const sources = twinsOf(
      round.real,
      verbs.subjectsOf(round.real.world, handleOf(round.real, twin), definitionOf(what)),
    );
    same(sources, subjectsOf(round.naive, twin, what), () => `subjects of (${what}, e${twin})`);
  }
}

function compareHas({ real, naive }: Round, what: string, twin: Twin, target: Twin | "Any"): void {
  const seen = verbs.has(real.world, handleOf(real, twin), idOf(real, what, target));
  same(seen, has(naive, twin, what, target), () => `e${twin} has (${what}, ${target})`);
}

/** A pair that is probably absent. */
function compareAbsentPair(round: Round, what: string, twin: Twin, other: Twin): void {
  const { real, naive } = round;
  compareHas(round, what, twin, other);
  if (fieldsOf(what) === undefined || has(naive, twin, what, other)) return;
  const value = verbs.get(real.world, handleOf(real, twin), idOf(real, what, other));
  same(value, undefined, () => `(${what}, e${other}) of e${twin}`);
}

function comparePairsOf(round: Round, what: string, twin: Twin): void {
  const { real, naive } = round;
  const { world } = real;
  const handle = handleOf(real, twin);
  const targets = targetsOf(naive, twin, what);
  compareHas(round, what, twin, "Any");
  for (const target of targets) {
    compareHas(round, what, twin, target);
    if (fieldsOf(what) === undefined) continue;
    const where = (): string => `(${what}, e${target}) of e${twin}`;
    const value = verbs.get(world, handle, idOf(real, what, target));
    sameValue(real, what, value, get(naive, twin, what, target), where);
  }

  const definition = definitionOf(what);
  if (isOn("targets")) {
    same(
      twinsOf(real, verbs.targetsOf(world, handle, definition)),
      targets,
      () => `${what} targets of e${twin}`,
    );
    const place = round.turn % (targets.length + 1);
    const there = verbs.targetOf(world, handle, definition, place);
    same(there && real.twins.get(there), targets[place], () => `${what} target ${place} of e${twin}`);
    return;
  }
  const first = verbs.targetOf(world, handle, definition);
  const target = first && real.twins.get(first);
  const isOneOfThem = targets.length > 0 && target !== undefined && targets.includes(target);
  if (!isOneOfThem) same(target, targets[0], () => `${what} target of e${twin}`);
}

/** No entity occurs twice; in a relation without cycles there is a longest path. */
function compareWalks(round: Round, what: string, twin: Twin): void {
  const { real, naive, turn } = round;
  const { world } = real;
  const handle = handleOf(real, twin);
  const relation = definitionOf(what);
  const isTree = relationRulesOf(what)?.exclusive === true;
  const above = twinsOf(real, queryVerbs.ancestors(world, handle, relation));
  const expected = aboveOf(naive, twin, what);
  same(isTree ? above : sorted(above), isTree ? expected : sorted(expected), () => `${what} above e${twin}`);
  const below = twinsOf(real, queryVerbs.descendants(world, handle, relation));
  same(sorted(below), sorted(belowOf(naive, twin, what)), () => `${what} below e${twin}`);
  if ((turn + twin) % ORDERS_INTERVAL === 0) compareOrders(round, what, twin);
  const depth = queryVerbs.depthOf(world, handle, relation);
  same(depth, depthOf(naive, twin, what), () => `${what} depth of e${twin}`);
  const children = twinsOf(real, queryVerbs.children(world, handle, relation));
  same(children, subjectsOf(naive, twin, what), () => `${what} children of e${twin}`);
}

/** Orders below an entity, the children that a function gets, and whether some entity is above it. */
function compareOrders({ real, naive, living, turn }: Round, what: string, twin: Twin): void {
  const { world } = real;
  const handle = handleOf(real, twin);
  const relation = definitionOf(what);
  const isTree = relationRulesOf(what)?.exclusive === true;
  const other = living[turn % living.length]!;
  const isAbove = queryVerbs.isAncestor(world, handleOf(real, other), handle, relation);
  same(
    isAbove,
    aboveOf(naive, twin, what).includes(other),
    () => `${what}: e${other} is an ancestor of e${twin}`,
  );
  for (const [order, right] of [
    ["postOrder", postOrderOf],
    ["levelOrder", levelOrderOf],
  ] as const) {
    const listed = twinsOf(real, queryVerbs[order](world, handle, relation));
    const wanted = isTree ? right(naive, twin, what) : sorted(belowOf(naive, twin, what));
    same(isTree ? listed : sorted(listed), wanted, () => `${order} along ${what} of e${twin}`);
  }
  const passed: (Twin | undefined)[] = [];
  queryVerbs.forEachChild(world, handle, (child) => passed.push(real.twins.get(child)), relation);
  same(passed, subjectsOf(naive, twin, what), () => `${what} children passed of e${twin}`);
}

function sorted(twins: readonly (Twin | undefined)[]): (Twin | undefined)[] {
  return twins.toSorted((one, other) => (one ?? 0) - (other ?? 0));
}
