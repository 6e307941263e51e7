/** Becsy has no names: parents by a reference. */
import { namedTree, sumOfNodes } from "../../workloads/inputs.ts";
import type { Subject } from "../../workloads/subject.ts";
import { type Given, LOOKUPS } from "../../workloads/workloads.ts";
import { createStage, fillWithTree } from "./stage.ts";

export async function naming({ operation }: Given<"names">): Promise<Subject | undefined> {
  if (operation !== "parent") return undefined;
  const { parents, leaves } = namedTree();
  const stage = await createStage({ entities: parents.length });
  const nodes = await fillWithTree(stage, parents);
  const { Child } = stage;
  const asking = Array.from(leaves, (leaf) => nodes[leaf]!);
  const found = new Int32Array(LOOKUPS);
  // A reference is valid until the frame ends: its number is stored.
  const job = (): void => {
    for (let at = 0; at < LOOKUPS; at++) found[at] = asking[at]!.read(Child).parent!.ordinal;
  };
  return {
    run: async () => {
      await stage.frame(job);
    },
    checksum: () => {
      const numbers = new Map(nodes.map(({ ordinal }, at) => [ordinal, at]));
      return sumOfNodes((at) => numbers.get(found[at]!) ?? -1);
    },
  };
}
