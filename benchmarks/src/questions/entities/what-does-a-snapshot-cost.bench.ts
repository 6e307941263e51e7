// Snapshots with their restores, kept and fresh, and checksums (`ask`), beside structuredClone and bitECS.
import { set } from "@treeline/core";
import { toDocument } from "@treeline/document/json";
import { checksum, restore, type Snapshot, snapshot } from "@treeline/document/snapshot";
import {
  contentsInBitecs,
  growInBitecs,
  loadInBitecs,
  saveInBitecs,
} from "../../fixtures/saved-in-bitecs.ts";
import { CHILDREN, contentsOf, growSaved, Position, sumOf } from "../../fixtures/saved-tree.ts";
import { type Contestant, interleave, ratioOf } from "../../measure/interleave.ts";
import { proveEqual } from "../../measure/proof.ts";
import { atMost, nanosecondsAndLow, printQuestion, printTable, type Row } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";

const PACE = { rounds: fullOrQuick(15, 4), time: 0, calls: 3, warmUp: 2 };

/** The goals, in nanoseconds an entity. */
interface Goals {
  readonly kept: number;
  readonly fresh: number;
  readonly checksum?: number;
}

/** Each contestant copies the whole state and goes back to it. */
function ask(count: number, goals: Goals): void {
  const { world, root } = growSaved(count);
  const document = toDocument(world, { root });
  const contents = contentsOf(world, root);
  const inBitecs = growInBitecs(contents);
  let kept = snapshot(world);
  let fresh: Snapshot = kept;
  let result: unknown;

  proveEqual([
    { name: "the world", checksum: () => sumOf(contents) },
    {
      name: "restored",
      checksum: () => {
        set(world, root, Position, { x: 1e6 });
        restore(world, kept);
        return sumOf(contentsOf(world, root));
      },
    },
    { name: "bitECS", checksum: () => sumOf(contentsInBitecs(loadInBitecs(saveInBitecs(inBitecs)))) },
  ]);

  const contestants: readonly (Contestant & { readonly most?: number })[] = [
    {
      name: "snapshot into kept memory, and restore",
      most: goals.kept,
      run: () => {
        kept = snapshot(world, { into: kept });
        restore(world, kept);
      },
    },
    {
      name: "snapshot in fresh memory, and restore",
      most: goals.fresh,
      run: () => {
        fresh = snapshot(world);
        restore(world, fresh);
      },
    },
    {
      name: "checksum",
      ...(goals.checksum === undefined ? {} : { most: goals.checksum }),
      run: () => {
        result = checksum(world);
      },
    },
    {
      name: "structuredClone of plain data, twice",
      run: () => {
        result = structuredClone(structuredClone(document));
      },
    },
    {
      name: "snapshot serializer and deserializer of bitECS, the parent as a field",
      run: () => {
        result = loadInBitecs(saveInBitecs(inBitecs));
      },
    },
  ];
  const timings = interleave(contestants, PACE);
  const base = timings[contestants.findIndex(({ name }) => name.startsWith("structuredClone"))]!;
  printTable(
    `${count.toLocaleString("en")} entities with a name, a parent of ${CHILDREN} children and two components of two f32. ` +
      "Ratios against structuredClone of the same content as plain data.",
    contestants.map(({ name, most }, at): Row => {
      const timing = timings[at]!;
      return {
        row: name,
        measured: nanosecondsAndLow(timing, count, "entity"),
        ratio: ratioOf(timing, base),
        ...(most === undefined ? {} : { goal: atMost(most, "ns", (timing.median * 1e6) / count) }),
      };
    }),
  );
  if (result === undefined) throw new Error("nothing was made");
}

printQuestion(import.meta.url);
ask(100_000, { kept: 15, fresh: 60, checksum: 10 });
ask(10_000, { kept: 15, fresh: 100 });
