import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type CountedName, counted, perUnit } from "../src/comparison/play/counted.ts";
import { countFresh } from "../src/comparison/play/fresh.ts";
import type { CallCount } from "../src/comparison/processes/count-calls.ts";
import { nodeHost } from "../src/comparison/processes/node-host.ts";

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const budgets = JSON.parse(readFileSync(pathOf("../call-budget.json"), "utf8")) as {
  readonly [Name in CountedName]: CallCount;
};
const host = nodeHost("Node", process.execPath, pathOf("../dist/comparison/node-cell.js"));

const WORDS: { readonly [Name in CountedName]: string } = {
  firstWorld: "creating a world",
  chain: "building a chain of 1,000",
  firstCascade: "the first cascade over a chain of 1,000",
  firstChurn: "20,000 times parent, child, destroy",
};

/**
 * Every function that a process calls for the first time costs some 25 microseconds, and every call before it is optimised 50 to
 * 75 ns.
 */
describe.each(Object.keys(counted) as CountedName[])("in a fresh process, %s", (workload) => {
  it(`${WORDS[workload]} runs no more functions and calls than call-budget.json allows`, async () => {
    const { functions, callbacks, calls } = await countFresh(host, workload, "treeline-child-of");

    const found = { functions, callbacks, calls: Math.ceil(perUnit(workload, calls)) };
    const budget = budgets[workload];
    const over = Object.entries(found).filter(([name, count]) => !(count <= budget[name as keyof CallCount]));
    expect(over, `allowed are ${JSON.stringify(budget)}`).toEqual([]);
  });
});
