/** Checks lists of entities in pools: families, with what is remembered of them, and the slices of any pool. */
import type { NumberPool } from "../base/number-pool.ts";
import { valuePairOf } from "../graph/graph.ts";
import { CHILD_OF, ChildOf } from "../id/builtins.ts";
import {
  alikeIn,
  countIn,
  endOf,
  isStillAlike,
  KEPT_ROOM,
  sliceOf,
  startOf,
  valueCountOf,
} from "../records/families.ts";
import { parentPairAt } from "../world/state/targets.ts";
import { archetypeAt } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";

/** I16: a family lists exactly the subjects of its pair, each once, in the place that it names, and counts them. */
export function* verifyFamily(world: World, pair: number, familyOf: Int32Array): Iterable<string> {
  const { families, pairs } = world.graph;
  const { entities } = world;
  const { pool } = families;
  const start = startOf(families, pair);
  const end = endOf(families, pair);
  const { first, room } = sliceOf(families, pair);
  if (
    start < first ||
    start > end ||
    end > first + room ||
    pool.subarray(first, start).some((one) => one !== 0)
  )
    yield `I16: the list of pair ${-pair}, ${start} to ${end}, does not fit its slice, or begins earlier`;
  if (room > 0 && pair !== 0 && pairs.relation[pair] !== CHILD_OF)
    yield `I16: pair ${-pair} has a list but is not of ${ChildOf.name}`;
  if (end > start && (pool[start] === 0 || pool[end - 1] === 0))
    yield `I16: the list of pair ${-pair} begins or ends with a hole`;
  let [count, byValue] = [0, 0];
  for (let at = start; at < end; at++) {
    const index = pool[at]!;
    if (index === 0) continue;
    if (familyOf[index] !== -1) {
      yield `I16: #${index} is in lists twice, the second time in that of pair ${-pair}`;
      return;
    }
    familyOf[index] = pair;
    if (parentPairAt(world, index) !== pair || entities.place[index] !== at - first)
      yield `I16: #${index} is in the list of pair ${-pair}, at another place than it says`;
    if (valuePairOf(world.graph, index) !== 0) byValue++;
    count++;
  }
  const [counted, countedByValue] = [countIn(families, pair), valueCountOf(families, pair)];
  if (counted !== count || countedByValue !== byValue)
    yield `I16: the list of pair ${-pair} counts ${counted} children, ${countedByValue} by value; there are ${count} and ${byValue}`;
  if (count > 0 && end - start > 2 * count + KEPT_ROOM)
    yield `I16: the list of pair ${-pair} has ${end - start - count} holes, and ${count} children`;
  const alike = alikeIn(families, pair);
  const archetype = world.graph.archetypes[Math.abs(alike) - 1];
  if (archetype === undefined || !isStillAlike(families, pair, archetype)) return;
  const members = [...pool.subarray(start, end)].filter((index) => index !== 0);
  const firstRow = entities.row[members[0]!]!;
  if (
    members.some((index) => archetypeAt(world, index) !== archetype) ||
    (alike > 0 && members.some((index, at) => entities.row[index] !== firstRow + at))
  )
    yield `I16: the children of pair ${-pair} are not in rows of archetype ${archetype.number}, as was remembered`;
}

/** I2, I16: each number of a pool that was ever used is in one slice, of a list or free; their sizes are powers of two. */
export function* verifyPool(
  invariant: string,
  owner: string,
  { pool, free, end }: NumberPool,
  lists: number,
  sliceAt: (list: number) => { readonly first: number; readonly room: number },
): Iterable<string> {
  const claimed = new Uint8Array(end);
  const claim = (first: number, room: number): boolean => {
    const isRight = first >= 0 && first + room <= end && !claimed.subarray(first, first + room).includes(1);
    claimed.fill(1, Math.max(first, 0), first + room);
    return isRight && (room & (room - 1)) === 0;
  };
  if (end > pool.length) yield `${invariant}: the pool has ${pool.length} numbers, but ends after ${end}`;
  for (let list = 0; list < lists; list++) {
    const { first, room } = sliceAt(list);
    if (room > 0 && !claim(first, room))
      yield `${invariant}: the list of ${owner} ${list}, ${first} to ${first + room}, overlaps another, or ends after ${end}`;
  }
  for (let size = 0; size < free.length; size++) {
    let at = free[size]! - 1;
    while (at >= 0 && claim(at, 2 ** size)) at = pool[at]! - 1;
    if (at >= 0) yield `${invariant}: the free slice of ${2 ** size} numbers at ${at} overlaps another`;
  }
  const lost = claimed.indexOf(0);
  if (lost >= 0) yield `${invariant}: the number at ${lost} of the pool of ${owner}s is in no slice`;
}
