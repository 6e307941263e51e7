/** Hand-written: many children at once, each in its parent's map of children by name; values in arrays by number. */
import { parentsOfNamed, sumOfNamed, textsOf } from "../../workloads/inputs.ts";
import type { Subject } from "../../workloads/subject.ts";
import { ENTITIES, type Given, NAME_PARENTS } from "../../workloads/workloads.ts";

interface Crowd {
  readonly px: Float32Array;
  readonly py: Float32Array;
  readonly vx: Float32Array;
  readonly vy: Float32Array;
  /** Child -> its parent. */
  readonly parents: Int32Array;
  /** Parent -> its children. */
  readonly children: readonly number[][];
  readonly names: string[];
  /** Parent -> its children by name. */
  readonly byName: readonly Map<string, number>[];
}

function createCrowd(): Crowd {
  return {
    px: new Float32Array(ENTITIES),
    py: new Float32Array(ENTITIES),
    vx: new Float32Array(ENTITIES),
    vy: new Float32Array(ENTITIES),
    parents: new Int32Array(ENTITIES),
    children: Array.from({ length: NAME_PARENTS }, () => []),
    names: [],
    byName: Array.from({ length: NAME_PARENTS }, () => new Map<string, number>()),
  };
}

function spawnAll({ px, py, vx, vy, parents, children }: Crowd, above: Int32Array): void {
  for (let at = 0; at < ENTITIES; at++) {
    px[at] = at % 1024;
    py[at] = 0;
    vx[at] = 1;
    vy[at] = 1 + (at % 3);
    parents[at] = above[at]!;
    children[above[at]!]!.push(at);
  }
}

function nameAll({ names, parents, byName }: Crowd, texts: readonly string[]): void {
  for (let at = 0; at < ENTITIES; at++) {
    names[at] = texts[at]!;
    byName[parents[at]!]!.set(texts[at]!, at);
  }
}

export function namingMany({ children: which }: Given<"nameMany">): Subject {
  const above = parentsOfNamed();
  const texts = textsOf();
  let crowd = createCrowd();
  return {
    before: () => {
      crowd = createCrowd();
      if (which === "existing") spawnAll(crowd, above);
    },
    run: () => {
      if (which === "spawned") spawnAll(crowd, above);
      nameAll(crowd, texts);
    },
    checksum: () =>
      sumOfNamed(
        (at) => crowd.px[at]!,
        (at) => crowd.py[at]!,
        (at) => crowd.byName[above[at]!]!.get(texts[at]!) === at && crowd.names[at] === texts[at],
      ),
  };
}
