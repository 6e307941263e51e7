import { readdirSync } from "node:fs";
import { format } from "node:util";
import { expect, it, vi } from "vitest";

/** The starters that print, with their last line. The others draw, and are tried on the site. */
const PRINTING: Readonly<Record<string, readonly [run: () => Promise<unknown>, last: string]>> = {
  tree: [() => import("../src/tree.ts"), "[ 'Ship::Crane' ]"],
  query: [() => import("../src/query.ts"), "Blue Engine 7"],
  cascade: [() => import("../src/cascade.ts"), "{ x: 50, y: 108 }"],
  prefab: [() => import("../src/prefab.ts"), "{ file: 'tank.glb' }"],
  observer: [() => import("../src/observer.ts"), "20 points"],
  undo: [() => import("../src/undo.ts"), "done again: Ship 0,0  Ship::Turret 7,2"],
};
const DRAWING = ["three", "transform"];

it("has a test for each starter", () => {
  const names = readdirSync(new URL("../src/", import.meta.url)).map((name) => name.replace(/\.ts$/, ""));

  expect(names.sort()).toEqual([...Object.keys(PRINTING), ...DRAWING].sort());
});

it.each(Object.keys(PRINTING))("runs %s", async (name) => {
  const [run, last] = PRINTING[name]!;
  const lines: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((...words) => lines.push(format(...words)));

  await run();
  log.mockRestore();

  expect(lines.at(-1)).toBe(last);
});
