/** Pairs, their targets and sources, wildcards and walks along relations, held against the twin. */
import { verbs, visitors } from "../base/entry-points.ts";
import { isOn } from "../base/features.ts";
import { handleOf, idOf, twinsOf } from "../step/fast-world.ts";
import { same, sameValue } from "../step/same.ts";
import { definitionOf, fieldsOf, isTraversable, relationRulesOf } from "../step/vocabulary.ts";
import type { Twin } from "../twin/rules.ts";
import { aboveOf, belowOf, depthOf, get, has, subjectsOf, targetsOf } from "../twin/world.ts";
import type { Round } from "./round.ts";
import { EVERYTHING } from "./round.ts";

/** @param stranger an entity that may or may not be a target. */
export function comparePairs(round: Round, twin: Twin, stranger: Twin): void {
  const { watched, turn } = round;
  for (const what of watched.relations) comparePairsOf(round, what, twin);
  const what = EVERYTHING.relations[turn % EVERYTHING.relations.length]!;
  compareStranger(round, what, twin, stranger);
  if (isOn("entity tags")) compareHas(round, "Is", twin, stranger);
  if (isOn("wildcards")) {
    compareHas(round, "Any", twin, stranger);
    compareHas(round, "Any", twin, "Any");
  }
  if (isOn("walks") && isTraversable(what)) compareWalks(round, what, twin);
  if (isOn("targets")) {
    const sources = twinsOf(
      round.fast,
      verbs.subjectsOf(round.fast.world, handleOf(round.fast, twin), definitionOf(what)),
    );
    same(sources, subjectsOf(round.slow, twin, what), () => `sources of (${what}, e${twin})`);
  }
}

function compareHas({ fast, slow }: Round, what: string, twin: Twin, target: Twin | "Any"): void {
  const seen = verbs.has(fast.world, handleOf(fast, twin), idOf(fast, what, target));
  same(seen, has(slow, twin, what, target), () => `e${twin} has (${what}, ${target})`);
}

/** A pair that probably is not there. */
function compareStranger(round: Round, what: string, twin: Twin, stranger: Twin): void {
  const { fast, slow } = round;
  compareHas(round, what, twin, stranger);
  if (fieldsOf(what) === undefined || has(slow, twin, what, stranger)) return;
  const value = verbs.get(fast.world, handleOf(fast, twin), idOf(fast, what, stranger));
  same(value, undefined, () => `(${what}, e${stranger}) of e${twin}`);
}

function comparePairsOf(round: Round, what: string, twin: Twin): void {
  const { fast, slow } = round;
  const { world } = fast;
  const handle = handleOf(fast, twin);
  const held = targetsOf(slow, twin, what);
  compareHas(round, what, twin, "Any");
  for (const target of held) {
    compareHas(round, what, twin, target);
    if (fieldsOf(what) === undefined) continue;
    const where = (): string => `(${what}, e${target}) of e${twin}`;
    const value = verbs.get(world, handle, idOf(fast, what, target));
    sameValue(fast, what, value, get(slow, twin, what, target), where);
  }

  const definition = definitionOf(what);
  if (isOn("targets")) {
    same(
      twinsOf(fast, verbs.targetsOf(world, handle, definition)),
      held,
      () => `${what} targets of e${twin}`,
    );
    const place = round.turn % (held.length + 1);
    const there = verbs.targetOf(world, handle, definition, place);
    same(there && fast.twins.get(there), held[place], () => `${what} target ${place} of e${twin}`);
    return;
  }
  const first = verbs.targetOf(world, handle, definition);
  const target = first && fast.twins.get(first);
  const isOneOfThem = held.length > 0 && target !== undefined && held.includes(target);
  if (!isOneOfThem) same(target, held[0], () => `${what} target of e${twin}`);
}

/** Nobody is met twice; without circles there is a longest way. */
function compareWalks({ fast, slow }: Round, what: string, twin: Twin): void {
  const { world } = fast;
  const handle = handleOf(fast, twin);
  const relation = definitionOf(what);
  const isTree = relationRulesOf(what)?.exclusive === true;
  const above = twinsOf(fast, visitors.ancestors(world, handle, relation));
  const expected = aboveOf(slow, twin, what);
  same(isTree ? above : sorted(above), isTree ? expected : sorted(expected), () => `${what} above e${twin}`);
  const below = twinsOf(fast, visitors.descendants(world, handle, relation));
  same(sorted(below), sorted(belowOf(slow, twin, what)), () => `${what} below e${twin}`);
  const depth = visitors.depthOf(world, handle, relation);
  same(depth, depthOf(slow, twin, what), () => `${what} depth of e${twin}`);
  const family = twinsOf(fast, visitors.children(world, handle, relation));
  same(family, subjectsOf(slow, twin, what), () => `${what} children of e${twin}`);
}

function sorted(twins: readonly (Twin | undefined)[]): (Twin | undefined)[] {
  return twins.toSorted((one, other) => (one ?? 0) - (other ?? 0));
}
