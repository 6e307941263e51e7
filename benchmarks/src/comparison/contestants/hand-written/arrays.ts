/**
 * Hand-written: one array for each field, entities by number. The lower bound of the cost, and the reference of the checksums.
 */
import { treeOf } from "../../../fixtures/trees.ts";
import { attach, createChildList, detach, move, subtree } from "../../workloads/child-list.ts";
import {
  cutOf,
  movesOf,
  parentsOf,
  renewals,
  shuffledParents,
  sumOfCounts,
  sumOfParents,
  sumOfPlaces,
  turnsOf,
  victimsOf,
} from "../../workloads/inputs.ts";
import type { Subject, Subjects } from "../../workloads/subject.ts";
import {
  CYCLES,
  ENTITIES,
  type Given,
  INSTANCES,
  PARTS,
  RENEW_PARENTS,
  REPARENT_PARENTS,
  SIBLING_PARENTS,
  SIBLINGS,
  STEPS,
} from "../../workloads/workloads.ts";
import { frame } from "./arrays-frame.ts";
import { naming } from "./arrays-names.ts";

interface Fields {
  readonly px: Float32Array;
  readonly py: Float32Array;
  readonly vx: Float32Array;
  readonly vy: Float32Array;
}

/** Position and Velocity as usual. */
function fieldsOf(count: number): Fields {
  return {
    px: Float32Array.from({ length: count }, (_, at) => at % 1024),
    py: new Float32Array(count),
    vx: new Float32Array(count).fill(1),
    vy: Float32Array.from({ length: count }, (_, at) => 1 + (at % 3)),
  };
}

function placesOf({ px, py }: Fields, count: number): number {
  return sumOfPlaces(
    count,
    (at) => px[at]!,
    (at) => py[at]!,
  );
}

function iterate(): Subject {
  const fields = fieldsOf(ENTITIES);
  const { px, py, vx, vy } = fields;
  return {
    run: () => {
      for (let at = 0; at < ENTITIES; at++) {
        px[at]! += vx[at]!;
        py[at]! += vy[at]!;
      }
    },
    checksum: () => placesOf(fields, ENTITIES),
  };
}

function siblings(): Subject {
  const count = SIBLING_PARENTS * SIBLINGS;
  const { px } = fieldsOf(count);
  const order = shuffledParents();
  const sums = new Float64Array(SIBLING_PARENTS);
  return {
    run: () => {
      for (let turn = 0; turn < SIBLING_PARENTS; turn++) {
        const first = order[turn]! * SIBLINGS;
        let sum = 0;
        for (let at = first; at < first + SIBLINGS; at++) sum += px[at]!;
        sums[order[turn]!] = sum;
      }
    },
    checksum: () => sumOfCounts(SIBLING_PARENTS, (at) => sums[at]!),
  };
}

function cascade({ tree }: Given<"cascade">): Subject {
  const parents = treeOf(tree);
  const { length } = parents;
  const lx = Float32Array.from(parents, (_, at) => 1 + (at % 3));
  const ly = new Float32Array(length).fill(1);
  const wx = new Float32Array(length);
  const wy = new Float32Array(length);
  return {
    run: () => {
      for (let at = 0; at < length; at++) {
        const above = parents[at]!;
        wx[at] = above < 0 ? lx[at]! : wx[above]! + lx[at]!;
        wy[at] = above < 0 ? ly[at]! : wy[above]! + ly[at]!;
      }
    },
    checksum: () =>
      sumOfPlaces(
        length,
        (at) => wx[at]!,
        (at) => wy[at]!,
      ),
  };
}

/** Growing arrays, and children linked to one another: a minimal world. */
interface Grown extends Fields {
  readonly first: Int32Array;
  readonly next: Int32Array;
  readonly counts: Int32Array;
}

function spawn({ parents }: Given<"spawn">): Subject {
  const above = parentsOf(Math.max(parents, 1), "block");
  let grown: Grown;
  return {
    before: () => {
      grown = {
        px: new Float32Array(ENTITIES),
        py: new Float32Array(ENTITIES),
        vx: new Float32Array(ENTITIES),
        vy: new Float32Array(ENTITIES),
        first: new Int32Array(parents).fill(-1),
        next: new Int32Array(ENTITIES),
        counts: new Int32Array(parents),
      };
    },
    run: () => {
      const { px, py, vx, vy, first, next, counts } = grown;
      for (let at = 0; at < ENTITIES; at++) {
        px[at] = at % 1024;
        py[at] = 0;
        vx[at] = 1;
        vy[at] = 1 + (at % 3);
        if (parents === 0) continue;
        const parent = above[at]!;
        next[at] = first[parent]!;
        first[parent] = at;
        counts[parent]!++;
      }
    },
    checksum: () => placesOf(grown, ENTITIES) + sumOfCounts(parents, (at) => grown.counts[at]!),
  };
}

function reparent({ order }: Given<"reparent">): Subject {
  const { movers, goals } = movesOf(order);
  const list = createChildList(ENTITIES + REPARENT_PARENTS);
  parentsOf(REPARENT_PARENTS, "block").forEach((parent, at) => {
    attach(list, at, ENTITIES + parent);
  });
  let round = 0;
  return {
    run: () => {
      const goal = goals[round++ % goals.length]!;
      for (let turn = 0; turn < movers.length; turn++) {
        const mover = movers[turn]!;
        move(list, mover, ENTITIES + goal[mover]!);
      }
    },
    checksum: () =>
      sumOfParents(ENTITIES, (at) => list.parent[at]! - ENTITIES) +
      sumOfCounts(REPARENT_PARENTS, (at) => list.children[ENTITIES + at]!.length),
  };
}

function destroy({ tree }: Given<"destroy">): Subject {
  const parents = treeOf(tree);
  const victims = victimsOf(tree);
  let list = createChildList(0);
  let isAlive = new Uint8Array(0);
  return {
    before: () => {
      list = createChildList(parents.length);
      isAlive = new Uint8Array(parents.length).fill(1);
      parents.forEach((parent, at) => {
        if (parent >= 0) attach(list, at, parent);
      });
    },
    run: () => {
      for (let turn = 0; turn < victims.length; turn++) {
        detach(list, victims[turn]!);
        const deleted = subtree(list, victims[turn]!);
        for (let at = deleted.length - 1; at >= 0; at--) {
          isAlive[deleted[at]!] = 0;
          list.children[deleted[at]!] = undefined;
        }
      }
    },
    checksum: () => 1 + isAlive.reduce((sum, alive) => sum + alive, 0),
  };
}

function change({ operation }: Given<"change">): Subject | undefined {
  if (operation === "pair" || operation === "put") return undefined;
  const fields = fieldsOf(ENTITIES);
  const { px, py } = fields;
  const has = new Uint8Array(ENTITIES);
  const mass = new Float32Array(ENTITIES);
  let total = 0;
  let runs = 0;
  const give = (): void => {
    for (let at = 0; at < ENTITIES; at++) {
      has[at] = 1;
      if (operation === "component") mass[at] = 2;
    }
    for (let at = 0; at < ENTITIES; at++) has[at] = 0;
  };
  const run = {
    tag: give,
    component: give,
    get: () => {
      let sum = 0;
      for (let at = 0; at < ENTITIES; at++) sum += px[at]!;
      total += sum;
    },
    set: () => {
      runs++;
      for (let at = 0; at < ENTITIES; at++) {
        px[at] = at % 1024;
        py[at] = runs;
      }
    },
  };
  return { run: run[operation], checksum: () => placesOf(fields, ENTITIES) + total };
}

/** The same in the order of turns. */
function handles({ operation, order }: Given<"handles">): Subject {
  const fields = fieldsOf(ENTITIES);
  const { px } = fields;
  const turns = turnsOf(order);
  const has = new Uint8Array(ENTITIES);
  const ax = new Float32Array(ENTITIES);
  const ay = new Float32Array(ENTITIES);
  let total = 0;
  let runs = 0;
  const run = {
    tag: () => {
      for (let at = 0; at < ENTITIES; at++) has[turns[at]!] = 1;
      for (let at = 0; at < ENTITIES; at++) has[turns[at]!] = 0;
    },
    pair: () => {
      for (let at = 0; at < ENTITIES; at++) {
        const entity = turns[at]!;
        has[entity] = 1;
        ax[entity] = 2;
        ay[entity] = 3;
      }
      for (let at = 0; at < ENTITIES; at++) has[turns[at]!] = 0;
    },
    get: () => {
      let sum = 0;
      for (let at = 0; at < ENTITIES; at++) sum += px[turns[at]!]!;
      total += sum;
    },
    put: () => {
      runs++;
      for (let at = 0; at < ENTITIES; at++) px[turns[at]!] = (at + runs) % 1024;
    },
  };
  return { run: run[operation], checksum: () => placesOf(fields, ENTITIES) + total };
}

/** A flag for each entity. */
function cut({ without }: Given<"cut">): Subject {
  if (without === "none") return iterate();
  const fields = fieldsOf(ENTITIES);
  const { px, py, vx, vy } = fields;
  const isOut = new Uint8Array(ENTITIES);
  for (const entity of cutOf(without)) isOut[entity] = 1;
  return {
    run: () => {
      for (let at = 0; at < ENTITIES; at++) {
        if (isOut[at] === 1) continue;
        px[at]! += vx[at]!;
        py[at]! += vy[at]!;
      }
    },
    checksum: () => placesOf(fields, ENTITIES),
  };
}

function churn(): Subject {
  const free: number[] = [0, 1];
  const px = new Float32Array(2);
  const isAlive = new Uint8Array(2);
  return {
    run: () => {
      for (let cycle = 0; cycle < CYCLES; cycle++) {
        const parent = free.pop()!;
        const child = free.pop()!;
        isAlive[parent] = 1;
        isAlive[child] = 1;
        px[child] = cycle;
        isAlive[child] = 0;
        isAlive[parent] = 0;
        free.push(child, parent);
      }
    },
    checksum: () => 1 + isAlive[0]! + isAlive[1]!,
  };
}

function renew(): Subject {
  const above = parentsOf(RENEW_PARENTS, "block", RENEW_PARENTS * 2);
  const steps = renewals();
  let list = createChildList(0);
  return {
    before: () => {
      list = createChildList(RENEW_PARENTS * 3 + STEPS);
      above.forEach((parent, at) => {
        attach(list, at, RENEW_PARENTS * 2 + parent);
      });
    },
    run: () => {
      for (let step = 0; step < STEPS; step++) move(list, steps[step]!, RENEW_PARENTS * 3 + step);
    },
    checksum: () => sumOfParents(RENEW_PARENTS * 2, (at) => list.parent[at]! - RENEW_PARENTS * 2),
  };
}

function instances(): Subject {
  const count = INSTANCES * (PARTS + 1);
  let px = new Float32Array(0);
  let parent = new Int32Array(0);
  let py = px;
  let vx = px;
  let vy = px;
  return {
    before: () => {
      px = new Float32Array(count);
      py = new Float32Array(count);
      vx = new Float32Array(count);
      vy = new Float32Array(count);
      parent = new Int32Array(count).fill(-1);
    },
    run: () => {
      for (let root = 0; root < count; root += PARTS + 1) {
        for (let part = 0; part <= PARTS; part++) {
          const at = root + part;
          px[at] = part === 0 ? 1 : part - 1;
          py[at] = 2;
          vx[at] = 3;
          vy[at] = 4;
          if (part > 0) parent[at] = root;
        }
      }
    },
    checksum: () => count + px.reduce((sum, x) => sum + x, 0),
  };
}

/** A list of all entities with both components is the result itself: nothing to build. */
function buildQuery(): Subject {
  const members = Int32Array.from({ length: ENTITIES }, (_, at) => at);
  let matches = 0;
  return {
    run: () => {
      matches = members.length;
    },
    checksum: () => matches,
  };
}

export const subjects: Subjects = {
  iterate,
  siblings,
  cascade,
  spawn,
  reparent,
  destroy,
  change,
  handles,
  cut,
  names: naming,
  churn,
  query: buildQuery,
  renew,
  instances,
  frame,
};
