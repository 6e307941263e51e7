import { describe, expect, it } from "vitest";
import { createDice, type Dice } from "../dice.ts";
import { append, appendMany, audit, createLedger, empty, type Ledger, take, takeMany } from "./ledger.ts";
import { memories } from "./memory/memories.ts";

/** Reserved rows may be above 1.5 times the most rows ever used by this. */
const ALLOWANCE = 16;

function takeAny(ledger: Ledger, dice: Dice): void {
  const { length } = ledger.members;
  if (length > 0) take(ledger, dice.below(length));
}

/** A share of all rows, in any order. */
function anyRows({ members }: Ledger, share: number, dice: Dice): number[] {
  const rows = members.map((_, row) => row).filter(() => dice.chance(share));
  for (let at = rows.length - 1; at > 0; at--) {
    const other = dice.below(at + 1);
    [rows[at], rows[other]] = [rows[other]!, rows[at]!];
  }
  return rows;
}

/** Rows come and go one by one, more of them at some times than at others. */
function oneByOne(ledger: Ledger, dice: Dice): void {
  for (let step = 0; step < 200_000; step++) {
    if (dice.chance(Math.floor(step / 20_000) % 2 === 0 ? 0.7 : 0.35)) append(ledger);
    else takeAny(ledger, dice);
  }
}

/** Crowds come, and shares of all rows go at once. */
function inCrowds(ledger: Ledger, dice: Dice): void {
  for (let wave = 0; wave < 60; wave++) {
    appendMany(ledger, 1 + dice.below(5000));
    takeMany(ledger, anyRows(ledger, dice.pick([0.1, 0.5, 0.9, 1]), dice));
  }
}

/** The archetype fills and empties again and again, one row at a time. */
function inTides(ledger: Ledger, dice: Dice): void {
  for (let tide = 0; tide < 8; tide++) {
    for (let step = 0; step < 10_000; step++) append(ledger);
    if (dice.chance(0.5)) empty(ledger);
    else while (ledger.members.length > 1) takeAny(ledger, dice);
  }
}

const lives: readonly (readonly [name: string, live: (ledger: Ledger, dice: Dice) => void])[] = [
  ["rows that come and go one by one", oneByOne],
  ["rows that come and go in crowds", inCrowds],
  ["rows that all go, again and again", inTides],
];

describe.each(memories)("on %s memory", (_, create) => {
  describe.each(lives)("with %s", (__, live) => {
    // One run for all checks: together the runs make more than a million changes.
    const ledger = createLedger(create());
    let audited: string[] = ["not run"];
    const run = (): Ledger => {
      if (audited[0] === "not run") {
        live(ledger, createDice(42));
        audited = audit(ledger);
      }
      return ledger;
    };

    it("reserved rows never exceed 1.5 times the most rows ever used, plus 16", () => {
      expect(run().worstExcess).toBeLessThanOrEqual(ALLOWANCE);
    });

    it("rows are dense, values stay with their entity (I1, I2)", () => {
      run();

      expect(audited).toEqual([]);
    });

    it("an archetype that loses its last row frees large buffers", () => {
      const { archetype } = run();

      empty(ledger);

      expect(archetype.lanes.capacity).toBeLessThanOrEqual(1024);
      expect(audit(ledger)).toEqual([]);
    });
  });
});

describe("a long random run, checked repeatedly", () => {
  it.each([
    [1, memories[0]![1]],
    [2, memories[1]![1]],
    [3, memories[0]![1]],
  ])("keeps every invariant, seed %i (I1, I2)", (seed, create) => {
    const ledger = createLedger(create());
    const dice = createDice(seed);
    const wrong: string[] = [];

    for (let step = 0; step < 6_000; step++) {
      const choice = dice.below(40);
      if (choice < 18) append(ledger);
      else if (choice < 20) appendMany(ledger, 1 + dice.below(40));
      else if (choice < 38) takeAny(ledger, dice);
      else if (dice.chance(0.5)) takeMany(ledger, anyRows(ledger, dice.pick([0.05, 0.3, 1]), dice));
      if (step % 20 === 0 && wrong.length === 0)
        wrong.push(...audit(ledger).map((text) => `step ${step}: ${text}`));
    }

    expect(wrong).toEqual([]);
    expect(ledger.worstExcess).toBeLessThanOrEqual(ALLOWANCE);
  });
});
