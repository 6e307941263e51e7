import { spawn } from "@treeline/core";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { Query, QueryTerm } from "../../src/index.ts";
import { count, dispose, each, eachBatch, eachLevel, eachRun, query } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Position } from "../definitions.ts";
import { createWorld, relation } from "../public/define.ts";
import { orderBy, page } from "../public/parts.ts";
import { cascade, selfOrUp, up } from "../public/terms.ts";

const WiredTo = relation("WiredTo", { traversable: true });

describe("options that are not an object are refused as bad-query:", () => {
  it.each<[title: string, call: () => unknown]>([
    ["up with a relation", () => up(Position, WiredTo as never)],
    ["selfOrUp with a relation", () => selfOrUp(Position, WiredTo as never)],
    ["cascade with a text", () => cascade(Position, "desc" as never)],
    ["cascade with null", () => cascade(Position, null as never)],
    ["orderBy with a text", () => orderBy(Position, "x", "desc" as never)],
    [
      "writes that are no list",
      () => eachRun(query(createWorld(), Position), () => {}, { writes: Position as never }),
    ],
    ["each without a callback", () => each(query(createWorld(), Position), undefined as never)],
    [
      "eachRun with options in place of a callback",
      () => eachRun(query(createWorld(), Position), { writes: [] } as never),
    ],
    ["eachBatch without a callback", () => eachBatch(query(createWorld(), up(Position)), undefined as never)],
    ["eachLevel without a callback", () => eachLevel(query(createWorld(), up(Position)), undefined as never)],
    ["a query without its world", () => query(undefined as never, Position)],
    ["a query whose world was forgotten", () => query(Position as never)],
  ])("%s", (_, call) => {
    expect(codeOf(call)).toBe("bad-query");
  });
});

describe("disposing of a part", () => {
  it("leaves the whole usable", () => {
    const world = createWorld();
    spawn(world, Position);
    const whole = query(world, Position);

    dispose(page(whole, 0, 1));

    expect(count(whole)).toBe(1);
  });
});

describe("a query whose terms are not known to types", () => {
  it("promises nothing about what each passes", () => {
    const world = createWorld();
    const entity = spawn(world, Position);
    const terms: QueryTerm[] = [Position];
    const given: unknown[] = [];

    each(query(world, ...terms), (...row) => {
      expectTypeOf(row).toExtend<unknown[]>();
      given.push(row.at(-1));
    });
    each(query(world, Position) as Query, (first) => {
      expectTypeOf(first).toBeUnknown();
    });

    expect(given).toEqual([entity]);
  });
});
