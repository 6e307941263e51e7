import { describe, expect, it } from "vitest";
import { createDice, type Dice } from "../dice.ts";
import {
  addTable,
  append,
  appendMany,
  audit,
  createLedger,
  empty,
  endTable,
  type Ledger,
  packLedger,
  take,
} from "./ledger.ts";
import { memories } from "./memory/memories.ts";

/** Reserved rows may be above 4.5 times the most rows used since the last pack by this. */
const ALLOWANCE = 4096;

function tablesOf({ members }: Ledger): number[] {
  return [...members.keys()];
}

function takeAny(ledger: Ledger, table: number, dice: Dice): void {
  const { length } = ledger.members.get(table)!;
  if (length > 0) take(ledger, table, dice.below(length));
}

/** Tables of one size are created and dropped; at times most of them are dropped. */
function equalTables(ledger: Ledger, dice: Dice): void {
  for (let wave = 0; wave < 16; wave++) {
    for (let spawn = 0; spawn < 1200; spawn++) {
      const table = addTable(ledger);
      for (let row = 0; row < 8; row++) append(ledger, table);
    }
    for (const table of tablesOf(ledger)) if (dice.chance(0.8)) endTable(ledger, table);
  }
}

/** Tables of all sizes are created, grow, shrink and are dropped. */
function unequalTables(ledger: Ledger, dice: Dice): void {
  const tables: number[] = [];
  for (let step = 0; step < 200_000; step++) {
    const choice = dice.below(20);
    if (tables.length === 0 || choice === 0) {
      const table = addTable(ledger);
      tables.push(table);
      appendMany(ledger, table, 1 + (dice.chance(0.1) ? dice.below(300) : dice.below(8)));
    } else if (choice === 1) {
      const [table] = tables.splice(dice.below(tables.length), 1) as [number];
      endTable(ledger, table);
    } else if (choice < 12) append(ledger, dice.pick(tables));
    else if (choice < 19) takeAny(ledger, dice.pick(tables), dice);
    else empty(ledger, dice.pick(tables));
  }
}

/** One table grows and shrinks beside thousands of tiny ones. */
function hugeBesideTiny(ledger: Ledger, dice: Dice): void {
  const huge = addTable(ledger);
  const tiny = Array.from({ length: 5000 }, () => addTable(ledger));
  for (const table of tiny) append(ledger, table);
  for (let tide = 0; tide < 6; tide++) {
    for (let step = 0; step < 10_000; step++) {
      append(ledger, huge);
      const table = dice.pick(tiny);
      if (ledger.members.get(table)!.length < 4 && dice.chance(0.5)) append(ledger, table);
      else takeAny(ledger, table, dice);
    }
    for (let step = 0; step < 9990; step++) takeAny(ledger, huge, dice);
  }
}

/** Many tables grow by one row each, round after round, so that no slice is ever the last for long. */
function interleaved(ledger: Ledger, dice: Dice): void {
  const tables = Array.from({ length: 300 }, () => addTable(ledger));
  for (let row = 0; row < 300; row++) for (const table of tables) append(ledger, table);
  for (let row = 0; row < 299; row++) for (const table of tables) takeAny(ledger, table, dice);
}

/** One table after the other grows to 1,024 rows and shrinks to 1. */
function inTurn(ledger: Ledger, dice: Dice): void {
  for (let count = 0; count < 100; count++) {
    const table = addTable(ledger);
    for (let row = 0; row < 1024; row++) append(ledger, table);
    while (ledger.members.get(table)!.length > 1) takeAny(ledger, table, dice);
  }
}

/** As `unequalTables`, with a pack now and then, which makes slices as small as their rows. */
function packedNowAndThen(ledger: Ledger, dice: Dice): void {
  for (let round = 0; round < 60; round++) {
    for (let spawn = 0; spawn < 200; spawn++) appendMany(ledger, addTable(ledger), 1 + dice.below(12));
    packLedger(ledger, tablesOf(ledger));
    const tables = tablesOf(ledger);
    const oldest = dice.below(tables.length); // so many are spared, side by side
    const mortality = dice.pick([0.2, 0.9, 1]);
    tables.slice(oldest).forEach((table) => {
      if (dice.chance(mortality)) endTable(ledger, table);
      else if (dice.chance(0.5)) append(ledger, table);
      else takeAny(ledger, table, dice);
    });
    for (let spawn = 0; spawn < 20; spawn++) appendMany(ledger, addTable(ledger), 20 + dice.below(80));
  }
}

const lives: readonly (readonly [name: string, live: (ledger: Ledger, dice: Dice) => void])[] = [
  ["equal tables", equalTables],
  ["unequal tables", unequalTables],
  ["one huge table beside 5,000 tiny ones", hugeBesideTiny],
  ["tables that grow interleaved", interleaved],
  ["tables that grow to 1,024 rows in turn and shrink to 1", inTurn],
  ["tables that are packed now and then", packedNowAndThen],
];

describe.each(memories)("on %s memory", (_, create) => {
  describe.each(lives)("with %s", (__, live) => {
    // One run for all four checks: together the runs make more than a million creations, growths and removals.
    const ledger = createLedger(create());
    let audited: string[] = ["not run"];
    const run = (): Ledger => {
      if (audited[0] === "not run") {
        live(ledger, createDice(42));
        audited = audit(ledger);
      }
      return ledger;
    };

    it("reserved rows never exceed 4.5 times the most rows used since the last pack, plus 4,096", () => {
      expect(run().worstExcess).toBeLessThanOrEqual(ALLOWANCE);
    });

    it("slices never overlap, bits are exact, values stay with their entity (I1, I2, I13, I14)", () => {
      run();

      expect(audited).toEqual([]);
    });

    it("a pack leaves at most 2.1 times the used rows, plus 64", () => {
      const { archetype, used } = run();

      packLedger(ledger, tablesOf(ledger));

      expect(archetype.lanes.capacity).toBeLessThanOrEqual(2.1 * used + 64);
      expect(audit(ledger)).toEqual([]);
    });

    it("an archetype that loses its last row frees large buffers", () => {
      const { archetype } = run();

      for (const table of tablesOf(ledger)) endTable(ledger, table);

      expect(archetype.lanes.capacity).toBeLessThanOrEqual(1024);
      expect([archetype.end, archetype.filled.length, archetype.empty.length]).toEqual([0, 0, 0]);
    });
  });
});

describe("a long random run, checked repeatedly", () => {
  it.each([
    [1, memories[0]![1]],
    [2, memories[1]![1]],
    [3, memories[0]![1]],
  ])("keeps every invariant, seed %i (I1, I2, I13, I14)", (seed, create) => {
    const ledger = createLedger(create());
    const dice = createDice(seed);
    const tables: number[] = [];
    const wrong: string[] = [];

    for (let step = 0; step < 12_000; step++) {
      const choice = dice.below(40);
      if (tables.length === 0 || choice < 3) {
        tables.push(addTable(ledger));
        append(ledger, tables.at(-1)!);
      } else if (choice < 5) endTable(ledger, tables.splice(dice.below(tables.length), 1)[0]!);
      else if (choice < 20) append(ledger, dice.pick(tables));
      else if (choice < 22) appendMany(ledger, dice.pick(tables), 1 + dice.below(40));
      else if (choice < 39) takeAny(ledger, dice.pick(tables), dice);
      else if (dice.chance(0.1)) packLedger(ledger, tables);
      if (step % 40 === 0 && wrong.length === 0)
        wrong.push(...audit(ledger).map((text) => `step ${step}: ${text}`));
    }

    expect(wrong).toEqual([]);
    expect(ledger.worstExcess).toBeLessThanOrEqual(ALLOWANCE);
  });
});
