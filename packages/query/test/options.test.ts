import { readFileSync } from "node:fs";
import type { TreelineError } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { eachColumns } from "../src/compiled.ts";
import * as api from "../src/index.ts";
import { Likes, Position } from "./definitions.ts";
import { createWorld } from "./public/define.ts";

const { cascade, changed, each, eachBatch, eachLevel, eachRun, inOrder, monitor, monitorGroups } = api;
const { below, groupBy, observeAbove, orderBy, query, rows, selfOrUp, up } = api;

/** Each function that takes options, with a misspelt one. */
const MISSPELT: [name: string, code: string, unknown: string, act: () => unknown][] = [
  // @ts-expect-error: misspelt
  ["up", "bad-query", "relatoin", () => up(Position, { relatoin: Likes })],
  // @ts-expect-error: misspelt
  ["selfOrUp", "bad-query", "relatoin", () => selfOrUp(Position, { relatoin: Likes })],
  // @ts-expect-error: misspelt
  ["cascade", "bad-query", "dsc", () => cascade(Position, { dsc: true })],
  // @ts-expect-error: misspelt
  ["below", "bad-query", "relatoin", () => below(changed(Position), { relatoin: Likes })],
  // @ts-expect-error: misspelt
  ["orderBy", "bad-query", "dsc", () => orderBy(Position, "x", { dsc: true })],
  // @ts-expect-error: misspelt
  ["inOrder", "bad-query", "relatoin", () => inOrder({ relatoin: Likes })],
  // @ts-expect-error: misspelt
  ["each", "bad-query", "read", () => each(positions(), called, { read: [Position] })],
  [
    "eachColumns",
    "bad-query",
    "read",
    // @ts-expect-error: misspelt
    () => eachColumns(positions(), [], called, { read: [Position] }),
  ],
  // @ts-expect-error: misspelt
  ["rows", "bad-query", "read", () => rows(positions(), { read: [Position] })],
  // @ts-expect-error: misspelt
  ["eachRun", "bad-query", "write", () => eachRun(positions(), called, { write: [Position] })],
  // @ts-expect-error: misspelt
  ["eachBatch", "bad-query", "write", () => eachBatch(positions(cascade(Position)), called, { write: [] })],
  // @ts-expect-error: misspelt
  ["eachLevel", "bad-query", "write", () => eachLevel(positions(cascade(Position)), called, { write: [] })],
  // @ts-expect-error: misspelt
  ["monitor", "bad-query", "yield", () => monitor(positions(), { entered: called }, { yield: true })],
  [
    "monitorGroups",
    "bad-query",
    "yield",
    // @ts-expect-error: misspelt
    () => monitorGroups(positions(groupBy(() => 1)), { began: called }, { yield: true }),
  ],
  [
    "observeAbove",
    "bad-value",
    "yield",
    // @ts-expect-error: misspelt
    () => observeAbove(createWorld(), Position, called, { yield: true }),
  ],
];

function called(): void {}

function positions(...others: readonly api.QueryTerm[]): api.Query {
  return query(createWorld(), Position, ...others);
}

function refusal(act: () => unknown): TreelineError {
  try {
    act();
  } catch (error) {
    return error as TreelineError;
  }
  throw new Error("not refused");
}

describe("options that nothing reads", () => {
  it.each(MISSPELT)("are refused by %s, as %s", (_, code, unknown, act) => {
    const error = refusal(act);

    expect(error.code).toBe(code);
    expect(error.message).toMatch(`does not know "${unknown}"; it takes `);
  });

  it("are refused by every public function that takes options", () => {
    const text = readFileSync(new URL("../../../tooling/api/query.d.txt", import.meta.url), "utf8");
    const takers = [...text.matchAll(/declare function (\w+)(?=[^;]*\boptions\?:)/g)].map(([, name]) => name);

    expect([...new Set(takers)].sort()).toEqual(MISSPELT.map(([name]) => name).sort());
  });

  it("are refused among the observers of monitors", () => {
    const error = refusal(() => monitor(positions(), { entered: called, leaved: called } as never));

    expect(error.message).toBe('monitor does not know "leaved"; it takes entered, left');
  });
});
