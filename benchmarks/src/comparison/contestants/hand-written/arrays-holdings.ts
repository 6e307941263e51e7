/** Hand-written: one array for each field, allocated for all beforehand; children linked to one another. */

import { type Growing, type Held, type Holdings, type Layout, sumOfGrown } from "../../memory/holdings.ts";
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

export const holdings: Holdings = { settle, grow };
