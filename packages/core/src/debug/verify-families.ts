import { CHILD_OF, ChildOf, DisabledTree, Hidden, OrderedChildren, Parent } from "../id/builtins.ts";
import { PAIR_DISABLES, PAIR_EXCLUSIVE } from "../id/definition.ts";
import { findPair } from "../id/pair-book.ts";
import {
  countInList,
  firstInList,
  GENERATION,
  isListed,
  KIN,
  LIST,
  lastInList,
  looseCountOf,
  loosePairOf,
  nextInList,
  previousInList,
} from "../records/sibling-links.ts";
import { hasDefinition } from "../storage/shape.ts";
import type { PairNumber } from "../storage/table.ts";
import { linkGeneration } from "../world/change/family.ts";
import { hasBitAt } from "../world/state/bit-tags.ts";
import { hasPairAt, pairsAt, parentIndexAt, parentPairAt } from "../world/state/targets.ts";
import { shapeAt } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";
import type { Say } from "./say.ts";

/** L16 to L19: lists of children, who is hidden, kept orders of adding, and both sides of symmetric pairs. */
export function verifyFamilies(world: World, say: Say): void {
  const living: number[] = [];
  for (let index = 1; index < world.entities.length; index++) {
    if (world.entities.table[index] !== 0) living.push(index);
  }
  verifyLoose(world, living, say);
  verifyLists(world, living, say);
  verifyHidden(world, living, say);
  verifyOrders(world, say);
  verifySymmetry(world, living, say);
}

/** L16: an entity has a loose pair exactly if its shape has Parent, and links exactly while it stands in a list. */
function verifyLoose(world: World, living: readonly number[], say: Say): void {
  const { links, pairs } = world.graph;
  const isChild = new Set<number>();
  for (const index of living) {
    const pair = loosePairOf(links, index);
    const { isLoose, definitions } = shapeAt(world, index);
    if (isLoose !== (pair !== 0)) say(`L16: e${index} has the loose pair ${-pair}; its shape says otherwise`);
    if (isLoose && definitions.includes(ChildOf)) say(`L6: e${index} has ${Parent.name} and ${ChildOf.name}`);
    if (pair !== 0 && links.kin[index * KIN + GENERATION] !== linkGeneration(world, index))
      say(`L16: the links of e${index} are wrong about its generation`);
    if (pair !== 0 && pairs.relation[pair] !== CHILD_OF)
      say(`L16: the loose pair ${-pair} of e${index} is none`);
    if (isListed(links, parentPairAt(world, index))) isChild.add(index);
  }
  for (let index = 1; index < links.kin.length / KIN; index++) {
    if (isChild.has(index)) continue;
    if (nextInList(links, index) !== 0 || previousInList(links, index) !== 0)
      say(`L16: e${index} stands in no list and has neighbours`);
    if (loosePairOf(links, index) !== 0) say(`L16: e${index} is loose and stands in no list`);
  }
}

/** L16: a list holds exactly the sources of its pair, each once, and is right about neighbours and counts. */
function verifyLists(world: World, living: readonly number[], say: Say): void {
  const { links, pairs } = world.graph;
  const families = new Map<PairNumber, Set<number>>();
  for (const index of living) {
    const pair = parentPairAt(world, index);
    const family = families.get(pair);
    if (family === undefined) families.set(pair, new Set([index]));
    else family.add(index);
  }
  for (let pair = 1; pair < links.lists.length / LIST; pair++) {
    if (!isListed(links, pair)) {
      if (
        firstInList(links, pair) !== 0 ||
        lastInList(links, pair) !== 0 ||
        countInList(links, pair) !== 0 ||
        looseCountOf(links, pair) !== 0
      )
        say(`L16: pair ${-pair} has no list and counts children in it`);
      continue;
    }
    if (pairs.relation[pair] !== CHILD_OF) say(`L16: pair ${-pair} has a list and is no parent's`);
    else verifyList(world, pair, families.get(pair) ?? new Set(), say);
  }
  for (const index of living) {
    if (!hasDefinition(shapeAt(world, index), OrderedChildren)) continue;
    const pair = findPair(pairs, CHILD_OF, index);
    if (pair !== 0 && !isListed(links, pair)) say(`L16: e${index} has ${OrderedChildren.name} and no list`);
  }
}

function verifyList({ graph }: World, pair: PairNumber, family: ReadonlySet<number>, say: Say): void {
  const { links } = graph;
  const met = new Set<number>();
  let before = 0;
  let loose = 0;
  for (let index = firstInList(links, pair); index !== 0; index = nextInList(links, index)) {
    if (met.has(index)) {
      say(`L16: e${index} stands twice in the list of pair ${-pair}`);
      return;
    }
    met.add(index);
    if (!family.has(index)) say(`L16: e${index} stands in the list of pair ${-pair}, which it does not have`);
    if (previousInList(links, index) !== before) say(`L16: e${index} is wrong about who stands before it`);
    if (loosePairOf(links, index) !== 0) loose++;
    before = index;
  }
  if (lastInList(links, pair) !== before) say(`L16: the list of pair ${-pair} is wrong about its end`);
  for (const index of family) if (!met.has(index)) say(`L16: the list of pair ${-pair} lacks e${index}`);
  const [count, looseCount] = [countInList(links, pair), looseCountOf(links, pair)];
  if (count !== met.size || looseCount !== loose) {
    const counted = `${count} children and ${looseCount} loose ones`;
    say(`L16: the list of pair ${-pair} counts ${counted}; there are ${met.size} and ${loose}`);
  }
}

/** L17: an entity is hidden exactly if its parent is, or has DisabledTree; and the pair of that parent says so. */
function verifyHidden(world: World, living: readonly number[], say: Say): void {
  const { pairs } = world.graph;
  const disables = (index: number): boolean =>
    hasDefinition(shapeAt(world, index), DisabledTree) || hasBitAt(world, index, Hidden);
  for (let pair = 1; pair < pairs.length; pair++) {
    const isNoted = (pairs.traits[pair]! & PAIR_DISABLES) !== 0;
    if (pairs.relation[pair] === 0) continue;
    if (isNoted !== (pairs.relation[pair] === CHILD_OF && disables(pairs.target[pair]!)))
      say(`L17: pair ${-pair} is wrong about whether its sources are hidden`);
  }
  for (const index of living) {
    const parent = parentIndexAt(world, index);
    const isBelow = parent !== 0 && disables(parent);
    if (hasBitAt(world, index, Hidden) === isBelow) continue;
    say(`L17: e${index} is ${isBelow ? "not hidden below" : "hidden and not below"} a ${DisabledTree.name}`);
  }
}

/** L18: a kept order of adding holds exactly the pairs of an entity that are of relations with many targets. */
function verifyOrders({ graph, entities, orders }: World, say: Say): void {
  const { tables, records, pairs } = graph;
  for (const [index, order] of orders) {
    const table = entities.table[index]!;
    const first = tables.nodes[table]!;
    const own = [...records.nodePair.subarray(first, first + tables.pairs[table]!)];
    const many = own.filter((pair) => (pairs.traits[pair]! & PAIR_EXCLUSIVE) === 0);
    const kept = [...order].sort((one, other) => one - other);
    if (table === 0) say(`L18: an order is kept for e${index}, which is dead`);
    else if (kept.join(" ") !== many.join(" "))
      say(`L18: the order kept for e${index} is of [${kept.join(" ")}]; it has [${many.join(" ")}]`);
  }
}

/** L19: who has a pair of a symmetric relation is the target of the same relation in turn. */
function verifySymmetry(world: World, living: readonly number[], say: Say): void {
  const { pairs } = world.graph;
  for (const index of living) {
    for (const relation of shapeAt(world, index).definitions) {
      for (const pair of relation.symmetric ? pairsAt(world, index, relation) : []) {
        const other = pairs.target[pair]!;
        const back = findPair(pairs, relation.id, index);
        if (back === 0 || !hasPairAt(world, other, back))
          say(`L19: e${index} has ${relation.name} with e${other}, which does not have it with e${index}`);
      }
    }
  }
}
