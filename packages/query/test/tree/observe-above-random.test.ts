import { type Entity, get, has, observe } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { describe, expect, it } from "vitest";
import { type AboveEvent, ancestors, descendants, observeAbove } from "../../src/index.ts";
import { sourceAbove } from "../random/cascades.ts";
import { createMixed, type Mixed, stepMixed } from "../random/mixed-storages.ts";
import { Local, Placed } from "../random/twin.ts";
import { hasObservers } from "../world-state.ts";

type What = typeof Local | typeof Placed;

/** What an observer was notified of, beside what a walk up from every entity finds. */
interface Log {
  readonly what: What;
  /** The source of each entity, as it was reported. */
  readonly sources: Map<Entity, Entity>;
  readonly wrong: string[];
  count: number;
  /** The entities for which a given value was reported since the last check. */
  given: string[];
  readonly stops: (() => void)[];
}

function open(mixed: Mixed, what: What): Log {
  const { world } = mixed;
  const log: Log = { what, sources: new Map(), wrong: [], count: 0, given: [], stops: [] };
  for (const [entity, source] of naiveSources(mixed, what)) log.sources.set(entity, source);
  log.stops.push(observeAbove(world, what, (event) => write(mixed, log, event)));
  log.stops.push(
    observe(world, { set: what }, ({ entity }) => {
      const below = descendants(world, entity).filter((one) => sourceAbove(world, one, what) === entity);
      const expected = below.map((one) => `${one} of ${entity}`);
      if (log.given.join() !== expected.join()) log.wrong.push(`set: ${log.given} instead of ${expected}`);
      log.given = [];
    }),
  );
  return log;
}

function write({ world }: Mixed, log: Log, { kind, entity, source }: AboveEvent): void {
  const { sources, wrong, what } = log;
  log.count++;
  if (!has(world, source, what) || get(world, source, what) === undefined) wrong.push(`${source} has it not`);
  if (!ancestors(world, entity).includes(source)) wrong.push(`${entity} is not below ${source}`);
  if (kind === "added") {
    if (sources.has(entity)) wrong.push(`${entity} has a source when it gets one`);
    sources.set(entity, source);
    return;
  }
  if (sources.get(entity) !== source) wrong.push(`${kind}: ${source} is not the source of ${entity}`);
  if (kind === "removed") sources.delete(entity);
  else log.given.push(`${entity} of ${source}`);
}

function naiveSources({ world, living }: Mixed, what: What): Map<Entity, Entity> {
  const sources = new Map<Entity, Entity>();
  for (const entity of living) {
    const source = sourceAbove(world, entity, what);
    if (source !== undefined) sources.set(entity, source);
  }
  return sources;
}

function compare(mixed: Mixed, log: Log): string[] {
  const right = naiveSources(mixed, log.what);
  for (const [entity, source] of right) {
    const reported = log.sources.get(entity);
    if (reported !== source) log.wrong.push(`${entity} has ${source}, reported was ${reported}`);
  }
  if (right.size !== log.sources.size) log.wrong.push(`${log.sources.size} sources instead of ${right.size}`);
  if (log.given.length > 0) log.wrong.push("a value was reported that was not set");
  return log.wrong;
}

const STEPS = 500 * Number(process.env.TREELINE_WALKS ?? 1);

describe("random trees", () => {
  it.each([
    [1, 0],
    [2, 0.5],
    [3, 0.5],
    [4, 1],
  ])("have the sources that were reported, seed %i, %d of the parents as values", (seed, byValue) => {
    const mixed = createMixed(seed, { byValue, most: 60, has: 0.25 });
    for (let step = 0; step < 60; step++) stepMixed(mixed);
    const logs = [open(mixed, Local), open(mixed, Placed)];
    let wrong: string[] = [];

    for (let step = 0; step < STEPS && wrong.length === 0; step++) {
      stepMixed(mixed);
      wrong = logs.flatMap((log) => compare(mixed, log).map((text) => `step ${step}, ${text}`));
    }

    expect(wrong).toEqual([]);
    for (const { count } of logs) expect(count).toBeGreaterThan(STEPS / 2);
    for (const stop of logs.flatMap(({ stops }) => stops)) stop();
    expect(hasObservers(mixed.world)).toBe(false);
    expect(verify(mixed.world)).toEqual([]);
  });
});
