/**
 * The hand-written game frame: siblings linked to one another; free numbers, and those with a velocity, in lists. Any node may be
 * moved or destroyed. The order in which nodes are placed is a parameter.
 */
import {
  createFrameFields,
  type FrameFields,
  fillFrameNode,
  moveListed,
  readFields,
} from "../../game-frame/fields.ts";
import { framePlanOf, frameSubject, noMatches, type Round } from "../../game-frame/work.ts";
import type { Subject } from "../../workloads/subject.ts";
import type { Given } from "../../workloads/workloads.ts";

/** Nodes by number; -1 where there is none. */
export interface Links {
  readonly parent: Int32Array;
  readonly first: Int32Array;
  readonly next: Int32Array;
  readonly previous: Int32Array;
}

/** A list from which any number can be removed at once: the last one fills its place. */
export interface Crowd {
  members: Int32Array;
  length: number;
}

/** An order of nodes, which is updated by all changes. */
export interface PlacingOrder {
  readonly placeAll: () => void;
  /** Called after a node got its parent. */
  readonly joined: (node: number) => void;
  /** Called after a node got another parent, with all below it. */
  readonly moved: (node: number) => void;
  readonly leaves: (node: number) => void;
}

function createLinks(nodes: number): Links {
  const none = (): Int32Array => new Int32Array(nodes).fill(-1);
  return { parent: none(), first: none(), next: none(), previous: none() };
}

function attach({ parent, first, next, previous }: Links, node: number, to: number): void {
  const head = first[to]!;
  parent[node] = to;
  next[node] = head;
  previous[node] = -1;
  if (head >= 0) previous[head] = node;
  first[to] = node;
}

function detach({ parent, first, next, previous }: Links, node: number): void {
  const before = previous[node]!;
  const after = next[node]!;
  if (before >= 0) next[before] = after;
  else first[parent[node]!] = after;
  if (after >= 0) previous[after] = before;
}

/** @param places node -> its place in its list. */
export function addTo(crowd: Crowd, places: Int32Array, node: number): void {
  if (crowd.length === crowd.members.length) {
    const members = new Int32Array(crowd.length * 2 + 1);
    members.set(crowd.members);
    crowd.members = members;
  }
  places[node] = crowd.length;
  crowd.members[crowd.length++] = node;
}

export function takeFrom(crowd: Crowd, places: Int32Array, node: number): void {
  const last = crowd.members[--crowd.length]!;
  crowd.members[places[node]!] = last;
  places[last] = places[node]!;
}

export function frameHandWritten(
  given: Given<"frame">,
  orderOf: (links: Links, fields: FrameFields, roots: Int32Array) => PlacingOrder,
): Subject {
  const plan = framePlanOf(given);
  const { slots, moves, roots } = plan;
  const fields = createFrameFields(slots);
  const links = createLinks(slots);
  const { parent, first, next } = links;
  const moving: Crowd = { members: new Int32Array(slots), length: 0 };
  const places = new Int32Array(slots);
  const hasVelocity = new Uint8Array(slots);
  /** Slot -> node. At first the one with the same number; roots never change. */
  const handles = new Int32Array(slots);
  const free = new Int32Array(slots);
  let freeCount = 0;
  const { placeAll, joined, moved, leaves } = orderOf(links, fields, roots);

  const bear = (node: number, slot: number, below: number): void => {
    handles[slot] = node;
    fillFrameNode(fields, node, plan, slot);
    hasVelocity[node] = moves[slot]!;
    if (moves[slot] === 1) addTo(moving, places, node);
    if (below >= 0) attach(links, node, below);
    joined(node);
  };
  const bury = (node: number): void => {
    if (hasVelocity[node] === 1) takeFrom(moving, places, node);
    leaves(node);
    free[freeCount++] = node;
  };
  /** Children before parents. */
  const destroyNode = (top: number): void => {
    detach(links, top);
    let node = top;
    for (;;) {
      while (first[node]! >= 0) node = first[node]!;
      bury(node);
      if (node === top) return;
      first[parent[node]!] = next[node]!;
      node = parent[node]!;
    }
  };
  for (let slot = 0; slot < slots; slot++) bear(slot, slot, plan.parents[slot]!);

  const run = ({ movers, goals, victims, homes }: Round): void => {
    moveListed(fields, moving.members, moving.length);
    placeAll();
    for (let at = 0; at < movers.length; at++) {
      const node = handles[movers[at]!]!;
      detach(links, node);
      attach(links, node, handles[goals[at]!]!);
      moved(node);
    }
    for (let at = 0; at < victims.length; at++) destroyNode(handles[victims[at]!]!);
    for (let at = 0; at < victims.length; at++) {
      bear(free[--freeCount]!, victims[at]!, handles[homes[at]!]!);
    }
  };
  return frameSubject(plan, run, () => {
    const slotOf = new Int32Array(slots);
    handles.forEach((node, slot) => {
      slotOf[node] = slot;
    });
    return {
      parentOf: (slot) => {
        const above = parent[handles[slot]!]!;
        return above < 0 ? -1 : slotOf[above]!;
      },
      read: (slot, into) => readFields(fields, handles[slot]!, into),
      matches: () => noMatches(plan),
    };
  });
}
