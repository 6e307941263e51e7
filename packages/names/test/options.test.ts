import { readFileSync } from "node:fs";
import type { TreelineError } from "@treeline/core";
import { describe, expect, it } from "vitest";
import * as names from "../src/index.ts";
import { fleet } from "./fleet.ts";

const { configureNames, ensurePath, escapeName, escapePattern, findAll, lookup, path, pathOf, place } = names;

type Fleet = ReturnType<typeof fleet>;

/** Each function that takes options, with a misspelt one. */
const MISSPELT: [name: string, unknown: string, act: (all: Fleet) => unknown][] = [
  // @ts-expect-error: misspelt
  ["configureNames", "colisions", ({ world }) => configureNames(world, { colisions: "allow" })],
  // @ts-expect-error: misspelt
  ["ensurePath", "form", ({ world, ship }) => ensurePath(world, "Raft", { form: ship })],
  // @ts-expect-error: misspelt
  ["escapeName", "seperator", () => escapeName("a/b", { seperator: "/" })],
  // @ts-expect-error: misspelt
  ["escapePattern", "seperator", () => escapePattern("a/b", { seperator: "/" })],
  // @ts-expect-error: misspelt
  ["findAll", "form", ({ world, ship }) => findAll(world, "*", { form: ship })],
  // @ts-expect-error: misspelt
  ["lookup", "form", ({ world, ship }) => lookup(world, "Hold", { form: ship })],
  // @ts-expect-error: misspelt
  ["path", "form", ({ world, ship }) => path(world, "Hold", { form: ship })],
  // @ts-expect-error: misspelt
  ["pathOf", "form", ({ world, ship, hold }) => pathOf(world, hold, { form: ship })],
  // @ts-expect-error: misspelt
  ["place", "form", ({ world, ship, hold }) => place(world, hold, "Raft", { form: ship })],
];

describe("options that nothing reads", () => {
  it.each(MISSPELT)("are refused by %s, with the options that there are", (_, unknown, act) => {
    const all = fleet();

    let thrown: TreelineError | undefined;
    try {
      act(all);
    } catch (error) {
      thrown = error as TreelineError;
    }

    expect(thrown?.code).toBe("bad-value");
    expect(thrown?.message).toMatch(`does not know "${unknown}"; it takes `);
    expect(lookup(all.world, "Ship::Hold")).toBe(all.hold);
    expect(lookup(all.world, "Raft")).toBeUndefined();
  });

  it("are refused by every public function that takes options", () => {
    const text = readFileSync(new URL("../../../tooling/api/names.d.txt", import.meta.url), "utf8");
    const takers = [...text.matchAll(/declare function (\w+)(?=[^;]*\boptions\?:)/g)].map(([, name]) => name);

    expect([...new Set(takers)].sort()).toEqual(MISSPELT.map(([name]) => name).sort());
  });
});
