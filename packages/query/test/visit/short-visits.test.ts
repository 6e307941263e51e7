import { ChildOf, component, createWorld, f32, spawn, spawnMany } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { cascade } from "../../src/query/ask/ancestor-terms.ts";
import { query } from "../../src/query/ask/query.ts";
import { eachRun } from "../../src/visit/each-run.ts";
import { eachStretch } from "../../src/visit/each-stretch.ts";
import { LONG, SHORT, SHORT_VISITS } from "../../src/visit/short-visits.ts";

const Position = component("Position", { x: f32 });

/** What the first visits hand out, and then the rest. */
function piecesOf(rows: number): number[] {
  const short = new Array<number>(SHORT_VISITS).fill(SHORT);
  return rows > LONG ? [...short, rows - SHORT * SHORT_VISITS] : [rows];
}

describe("a visit that begins with a long run", () => {
  it.each([LONG, LONG + 1, 3 * LONG])("of %i rows hands all of them out, side by side and once", (rows) => {
    const world = createWorld();
    spawnMany(world, rows, Position);
    const pieces: number[] = [];
    let next = 0;

    eachRun(query(world, Position), (run) => {
      expect(run.first).toBe(next);
      next = run.end;
      pieces.push(run.end - run.first);
    });

    expect([next, pieces]).toEqual([rows, piecesOf(rows)]);
  });

  it.each([LONG, LONG + 1, 3 * LONG])("of %i children hands all of them out under cascade", (rows) => {
    const world = createWorld();
    const parent = spawn(world, Position);
    spawnMany(world, rows, Position, ChildOf(parent));
    const pieces: number[] = [];
    const seen = new Set<number>();

    eachStretch(query(world, Position, cascade(Position)), (stretch) => {
      if (!stretch.hasParents) return;
      pieces.push(stretch.to - stretch.from);
      for (let at = stretch.from; at < stretch.to; at++) seen.add(stretch.rows[at]!);
    });

    expect([seen.size, pieces]).toEqual([rows, piecesOf(rows)]);
  });

  it("hands out long roots in pieces as well", () => {
    const world = createWorld();
    spawnMany(world, LONG + 1, Position);
    const pieces: number[] = [];

    eachStretch(query(world, Position, cascade(Position)), (stretch) => {
      pieces.push(stretch.to - stretch.from);
    });

    expect(pieces).toEqual(piecesOf(LONG + 1));
  });
});
