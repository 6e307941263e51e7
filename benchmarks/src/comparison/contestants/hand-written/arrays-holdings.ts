/** Hand-written: one array for each field, allocated for all beforehand; children linked to one another. */

import {
  type Equipment,
  type Growing,
  type Held,
  type Holdings,
  type Layout,
  sumOfGrown,
} from "../../memory/holdings.ts";
import { parentsOf } from "../../workloads/inputs.ts";

function settle({ parents, children, queries }: Layout): Held | undefined {
  if (queries > 0) return undefined;
  const px = Float32Array.from({ length: children }, (_, at) => at % 1024);
  const py = new Float32Array(children);
  const vx = new Float32Array(children).fill(1);
  const vy = Float32Array.from({ length: children }, (_, at) => 1 + (at % 3));
  const parent = parentsOf(parents, "block", children);
  const first = new Int32Array(parents).fill(-1);
  const next = new Int32Array(children);
  for (let at = children - 1; at >= 0; at--) {
    next[at] = first[parent[at]!]!;
    first[parent[at]!] = at;
  }
  return {
    count: () => {
      let count = 0;
      for (let group = 0; group < parents; group++) {
        for (let at = first[group]!; at >= 0; at = next[at]!) {
          if (parent[at] === group && px[at]! + py[at]! < 1024 && vx[at]! < vy[at]! + 1) count++;
        }
      }
      return count;
    },
  };
}

function grow(entities: number): Growing {
  const px = new Float32Array(entities);
  const py = new Float32Array(entities);
  const vx = new Float32Array(entities);
  const vy = new Float32Array(entities);
  return {
    run: (stamp) => {
      for (let at = 0; at < entities; at++) {
        px[at] = at % 1024;
        py[at] = 0;
        vx[at] = 1;
        vy[at] = 1 + (at % 3);
        stamp();
      }
    },
    checksum: () =>
      sumOfGrown(
        entities,
        (at) => px[at]!,
        (at) => vy[at]!,
      ),
  };
}

/** A flag for each entity. */
function equip({ roots, extra, every }: Equipment): Held {
  const px = Float32Array.from({ length: roots }, (_, at) => at % 1024);
  const py = new Float32Array(roots);
  const vx = new Float32Array(roots).fill(1);
  const vy = Float32Array.from({ length: roots }, (_, at) => 1 + (at % 3));
  const has = new Uint8Array(extra === "nothing" ? 0 : roots);
  const ax = new Float32Array(extra === "component" ? roots : 0);
  const ay = new Float32Array(extra === "component" ? roots : 0);
  for (let at = 0; at < has.length; at += every) {
    has[at] = 1;
    ax[at] = 2;
    ay[at] = 3;
  }
  return {
    count: () => {
      let count = 0;
      for (let at = 0; at < roots; at++) {
        if (px[at]! + py[at]! < 1024 && vx[at]! < vy[at]! + 1 && has[at] !== 0) count++;
      }
      return ay[0] === 0 || ax[0] === 0 ? -1 : count;
    },
  };
}

export const holdings: Holdings = { settle, equip, grow };
