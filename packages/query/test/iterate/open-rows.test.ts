import { isAlive, spawn, spawnMany } from "@treeline/core";
import { onWarning } from "@treeline/core/debug";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { destroy, each, query, rows } from "../../src/index.ts";
import { Mesh } from "../definitions.ts";
import { component } from "../public/define.ts";
import { f32 } from "../public/fields.ts";
import { setWorld, world } from "../test-world.ts";

const Place = component("Place", { x: f32 });
let warnings: string[];

beforeEach(() => {
  setWorld();
  spawnMany(world, 3, Place);
  warnings = [];
  onWarning((text) => warnings.push(text));
});
afterEach(() => onWarning(undefined));

it("a callback of each that returns a promise is reported once in a world", () => {
  const wait = async (): Promise<void> => {};
  for (let time = 0; time < 3; time++) each(query(world, Place), wait);
  each(query(world, Place), () => 5);

  expect(warnings.map((text) => text.split(":")[0])).toEqual(["each got a function that returned a promise"]);
});

describe("an iterator of rows", () => {
  it("is reported when the code that began it has returned, and has neither ended nor called return", async () => {
    const iterator = rows(query(world, Place));
    iterator.next();
    const during = warnings.length;

    await undefined;

    expect([during, warnings]).toEqual([
      0,
      [
        "rows(query(Place)) is still open after the code that began it: the world defers every structural change until it ends. " +
          "Use for...of without await inside, call return() on the iterator, or use first or page for a row",
      ],
    ]);
    iterator.return();
  });

  it("is reported if the loop waits inside", async () => {
    const loop = async (): Promise<void> => {
      for (const _ of rows(query(world, Place))) await undefined;
    };

    await loop();

    expect(warnings.length).toBe(1);
  });

  it("is reported once per query", async () => {
    const tested = query(world, Place);
    const open = [rows(tested), rows(tested), rows(query(world, Place, Mesh))];
    spawn(world, Place, Mesh("mesh"));
    for (const one of open) one.next();
    await undefined;
    for (const one of open) one.return();
    const again = rows(tested);
    again.next();

    await undefined;

    again.return();
    expect(warnings.map((text) => text.slice(0, 24))).toEqual([
      "rows(query(Place)) is st",
      "rows(query(Place, Mesh))",
    ]);
  });

  it("is not reported if it has ended, was left, or has not begun", async () => {
    const tested = query(world, Place);
    for (const _ of rows(tested));
    for (const _ of rows(tested)) break;
    const left = rows(tested);
    left.next();
    left.return();
    expect(() => {
      for (const _ of rows(tested)) throw new Error("stop");
    }).toThrow("stop");
    rows(tested);
    rows(query(world, Mesh)).next();

    await undefined;

    expect(warnings).toEqual([]);
  });

  it("that was reported still works: changes are made when it ends", async () => {
    const iterator = rows(query(world, Place));
    const [, entity] = iterator.next().value!;
    destroy(world, entity);
    await undefined;
    const before = isAlive(world, entity);

    iterator.return();

    expect([before, isAlive(world, entity)]).toEqual([true, false]);
  });
});

describe("a warning", () => {
  it("is printed with console.warn, unless the program replaces that", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    onWarning(undefined);
    const iterator = rows(query(world, Place));
    iterator.next();

    await undefined;

    iterator.return();
    const calls = warn.mock.calls.length;
    warn.mockRestore();
    expect([calls, warnings]).toEqual([1, []]);
  });
});
