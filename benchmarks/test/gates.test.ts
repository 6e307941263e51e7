import { describe, expect, it } from "vitest";
import { GATES, type Gate } from "../src/gates/gates.ts";
import { openGate } from "../src/gates/open.ts";

/** Fewer than in a run: what a subject computes does not depend on how many there are. */
const ENTITIES = 2_000;

async function sumOf(place: number, contestant: string, runs?: number): Promise<number> {
  const { subject, proof } = await openGate({ workload: "gate", contestant, place }, ENTITIES);
  if (runs === 0) await subject.before?.();
  for (let run = 0; run < (runs ?? proof); run++) {
    await subject.before?.();
    await subject.run();
  }
  return subject.checksum();
}

const played = GATES.flatMap((gate, place) => (gate.mode === "bytes" ? [] : [{ ...gate, place }]));
const placeOf = (row: string): number => GATES.findIndex((gate) => gate.row === row);

const isDestroying = ({ work, given }: Gate): boolean =>
  work === "destroy" || ("operation" in given && given.operation === "destroy");
/** Their runs begin from the same state, or end in it. */
const isSteady = (gate: Gate): boolean =>
  ["spawn", "renew", "chain", "sum"].includes(gate.work) || isDestroying(gate);

describe("gates", () => {
  it("have rows of different names", () => {
    expect(new Set(GATES.map(({ row }) => row)).size).toBe(GATES.length);
  });

  it.each(played.filter(({ storage }) => storage === "Parent"))(
    "$row computes the same as with ChildOf",
    async ({ row, place }) => {
      const other = placeOf(row.replace("Parent: ", ""));

      expect(await sumOf(place, "treeline")).toBe(await sumOf(other, "treeline"));
    },
  );

  it.each(played.flatMap((gate) => (gate.against === undefined ? [] : [{ ...gate, ...gate.against }])))(
    "$row computes the same as $name",
    async ({ place, name }) => {
      expect(await sumOf(place, "treeline")).toBe(await sumOf(place, name));
    },
  );

  it.each(played.filter((gate) => !isSteady(gate)))(
    "$row has another checksum after another run",
    async ({ place }) => {
      expect(await sumOf(place, "treeline", 3)).not.toBe(await sumOf(place, "treeline", 2));
    },
  );

  // Without entities that a run creates there is nothing to read before.
  it.each(played.filter((gate) => isSteady(gate) && gate.work !== "spawn" && gate.work !== "chain"))(
    "$row has another checksum before its first run",
    async ({ place }) => {
      expect(await sumOf(place, "treeline", 1)).not.toBe(await sumOf(place, "treeline", 0));
    },
  );

  it.each(GATES.filter(({ mode }) => mode === "bytes"))("$row weighs a world of so many parents", (gate) => {
    expect(gate.given).toEqual({ parents: Number(/([\d,]+) parents$/.exec(gate.row)![1]!.replace(",", "")) });
  });
});
