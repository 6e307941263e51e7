import { type Entity, get, has, observe } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { describe, expect, it } from "vitest";
import { type AboveEvent, ancestors, descendants, observeAbove } from "../../src/index.ts";
import { sourceAbove } from "../cascades.ts";
import { createMixed, type Mixed, stepMixed } from "../mixed.ts";
import { Local, Placed } from "../twin.ts";

type What = typeof Local | typeof Placed;

/** What a listener was told, beside what a walk up from everybody finds. */
interface Book {
  readonly what: What;
  /** Everybody's holder, as it was told. */
  readonly sources: Map<Entity, Entity>;
  readonly wrong: string[];
  count: number;
  /** Who was told of a given value since the last look. */
  given: string[];
  readonly stops: (() => void)[];
}

function open(mixed: Mixed, what: What): Book {
  const { world } = mixed;
  const book: Book = { what, sources: new Map(), wrong: [], count: 0, given: [], stops: [] };
  for (const [entity, source] of sourcesByHand(mixed, what)) book.sources.set(entity, source);
  book.stops.push(observeAbove(world, what, (event) => write(mixed, book, event)));
  book.stops.push(
    observe(world, { set: what }, ({ entity }) => {
      const below = descendants(world, entity).filter((one) => sourceAbove(world, one, what) === entity);
      const expected = below.map((one) => `${one} of ${entity}`);
      if (book.given.join() !== expected.join()) book.wrong.push(`set: ${book.given} instead of ${expected}`);
      book.given = [];
    }),
  );
  return book;
}

function write({ world }: Mixed, book: Book, { kind, entity, source }: AboveEvent): void {
  const { sources, wrong, what } = book;
  book.count++;
  if (!has(world, source, what) || get(world, source, what) === undefined) wrong.push(`${source} has it not`);
  if (!ancestors(world, entity).includes(source)) wrong.push(`${entity} is not below ${source}`);
  if (kind === "added") {
    if (sources.has(entity)) wrong.push(`${entity} has a holder when it gets one`);
    sources.set(entity, source);
    return;
  }
  if (sources.get(entity) !== source) wrong.push(`${kind}: ${source} is not the holder of ${entity}`);
  if (kind === "removed") sources.delete(entity);
  else book.given.push(`${entity} of ${source}`);
}

function sourcesByHand({ world, living }: Mixed, what: What): Map<Entity, Entity> {
  const sources = new Map<Entity, Entity>();
  for (const entity of living) {
    const source = sourceAbove(world, entity, what);
    if (source !== undefined) sources.set(entity, source);
  }
  return sources;
}

function compare(mixed: Mixed, book: Book): string[] {
  const right = sourcesByHand(mixed, book.what);
  for (const [entity, source] of right) {
    const told = book.sources.get(entity);
    if (told !== source) book.wrong.push(`${entity} has ${source}, told was ${told}`);
  }
  if (right.size !== book.sources.size)
    book.wrong.push(`${book.sources.size} holders instead of ${right.size}`);
  if (book.given.length > 0) book.wrong.push("somebody was told of a value that nobody gave");
  return book.wrong;
}

describe("random trees", () => {
  it.each([
    [1, 0],
    [2, 0.5],
    [3, 0.5],
    [4, 1],
  ])("have the holders that were told, seed %i, %d of the parents as values", (seed, loose) => {
    const mixed = createMixed(seed, { loose, most: 60, has: 0.25 });
    for (let step = 0; step < 60; step++) stepMixed(mixed);
    const books = [open(mixed, Local), open(mixed, Placed)];
    let wrong: string[] = [];

    for (let step = 0; step < 1000 && wrong.length === 0; step++) {
      stepMixed(mixed);
      wrong = books.flatMap((book) => compare(mixed, book).map((text) => `step ${step}, ${text}`));
    }

    expect(wrong).toEqual([]);
    for (const { count } of books) expect(count).toBeGreaterThan(500);
    for (const stop of books.flatMap(({ stops }) => stops)) stop();
    expect(mixed.world.events.listeners).toEqual([]);
    expect(verify(mixed.world)).toEqual([]);
  });
});
