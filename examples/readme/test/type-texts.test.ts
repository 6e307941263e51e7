// Compares the texts of type errors with `expected/type-errors.txt`; checks the types that editors show.
import { rmSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { programFolder, typeErrors } from "./programs.ts";

/** What all programs start with: line 1 to `FIRST_LINE` of the checked file. */
const START = `import {
  add, type Batch, bind, bool, cascade, component, createWorld, destroy, each, eachBatch, eachRun, emit, entity, type Entity,
  f32, field, get, has, type Level, maybe, monitor, not, observe, orderBy, patch, type Query, query, read, relation, remove,
  type Run, rows, set, spawn, spawnMany, tag, targetOf, up, value, type World,
} from "treeline";
import { runKernel } from "treeline/kernels";
const Position = component("Position", { x: f32, y: f32 });
const Owner = component("Owner", { by: entity, isShared: bool });
const Label = component<{ text: string }>("Label");
const Mesh = component("Mesh", { skin: value<{ id: string } | undefined>(), size: f32, layer: value(1) });
const Enemy = tag("Enemy");
const Likes = relation("Likes");
const DockedTo = relation("DockedTo", { fields: { since: f32 } });
const world = createWorld();
const ship = spawn(world);
const positions = query(world, Position);
const list = [Position, Enemy];`;
const FIRST_LINE = START.split("\n").length + 1;

/** Wrong calls, and what the text of their first error must name. */
const WRONG: readonly (readonly [call: string, names: string])[] = [
  // terms
  ["spawn(world, Position({ x: 1, z: 2 }));", "'z'"],
  ['spawn(world, Position({ x: "1" }));', "'string' is not assignable to type 'number'"],
  ["spawn(world, Owner({ by: 4 }));", "'number' is not assignable to type 'Entity'"],
  ["spawn(world, Owner({ isShared: 1 }));", "'number' is not assignable to type 'boolean"],
  ["spawn(world, Label);", "call it with its value"],
  ["spawn(world, Label());", "Expected 1 arguments"],
  ["spawn(world, Label({}));", "'text'"],
  ["spawn(world, Enemy({ x: 1 }));", "'Tag' has no call signatures"],
  ["spawn(world, list);", "Tag"],
  ["spawnMany(world, '3', Position);", "'string' is not assignable to parameter of type 'number'"],
  ["add(world, ship, Likes(undefined));", "'undefined' is not assignable"],
  ["add(world, ship, Likes(targetOf(world, ship, Likes)));", "undefined"],
  ["add(world, ship, Enemy(ship));", "'Tag' has no call signatures"],
  ["add(world, ship, Likes);", "call it with a target: ChildOf(parent)"],
  ["spawn(world, Likes);", "call it with a target: ChildOf(parent)"],
  ["spawn(world, Position, ship);", "write ChildOf(entity) or asTag(entity)"],
  ["has(world, ship, ship);", "write ChildOf(entity) or asTag(entity)"],
  ["add(world, ship, DockedTo(ship, { sinse: 1 }));", "'sinse'"],
  ["remove(world, ship, 'Enemy');", "string"],
  // values
  ["get(world, 5, Position);", "'number' is not assignable to parameter of type 'Entity'"],
  ["get(world, ship, Enemy);", "a tag has no value"],
  ["get(world, ship, Likes);", "call it with a target: ChildOf(parent)"],
  ["has(ship, Position);", "Expected 3 arguments"],
  ["set(world, ship, Position, { z: 1 });", "'z'"],
  ["set(world, ship, Position, 5);", "x?: number"],
  ["set(world, ship, Owner, { by: 4 });", "'number' is not assignable to type 'Entity'"],
  ["set(world, ship, Label, { text: 5 });", "'number' is not assignable to type 'string'"],
  ["set(world, ship, Mesh, { skin: 'red' });", "id: string"],
  ["set(world, ship, Enemy, {});", "a tag has no value"],
  ["set(world, ship, Position, { at: { x: 1 } });", "'at' does not exist in type '{ readonly x?: number"],
  ["patch(world, ship, Position, (position) => { position.z = 1; });", "'z'"],
  ["patch(world, ship, Position, ({ x, y }) => ({ x: x + 1, y }));", "void"],
  ["field(Position, 'z');", '"z"'],
  // definitions
  ["component('Speed', 'f32');", "string"],
  ["component('Body', { at: { x: 0 } });", "use array(f32, 3), value<T>() or another component"],
  ["tag({ x: f32 });", "string"],
  ["relation('Eats', { exclusiv: true });", "'exclusiv'"],
  ["relation('Eats', { fields: 'f32' });", "string"],
  // queries
  ["query(Position);", "World"],
  ["query(world, list);", "Tag"],
  ["query(world, Likes);", "call it with a target: ChildOf(parent)"],
  ["query(world, ship);", "write ChildOf(entity) or asTag(entity)"],
  [
    "each(query(world, Position, up(Enemy)), (_, enemy, entity) => { has(world, entity, Enemy); });",
    "a tag has no value",
  ],
  ["query(world, 'Position');", "string"],
  ["query(world, not(5));", "'number' is not assignable to parameter of type 'Filter'"],
  ["query(world, up('Position'));", "'string' is not assignable to parameter of type 'Plain'"],
  ["query(world, cascade(Position, { descending: true }));", "'descending'"],
  ["query(world, orderBy(Position, 'z'));", '"z"'],
  ["query(world, orderBy(Mesh, 'skin'));", '"skin"'],
  ["query(world, orderBy(Mesh, 'layer'));", '"layer"'],
  ["bind(positions, 'it', ship);", "'string' is not assignable to parameter of type 'Variable'"],
  ["each(positions, (position: { x: string }) => {});", "'number' is not assignable to type 'string'"],
  ["each(positions, (entity: Entity) => {});", "x: number"],
  ["each(world, () => {});", "'World'"],
  ["for (const [position] of rows(query(world, up(Position)))) position.x = 1;", "'x'"],
  ["eachRun(positions, (run) => { run.columns(Position).z; });", "'z'"],
  ["eachBatch(positions, (batch) => { batch.parentColumns(Position).z; });", "'z'"],
  ["eachRun(positions, () => {}, { write: [Position] });", "'write'"],
  ["runKernel([Mesh], ([mesh]) => () => { mesh.skin; });", "'skin'"],
  // observers
  ["observe(world, { add: Position }, () => {});", "'add'"],
  ["observe(world, { added: Position }, () => {}, { yieldExistng: true });", "'yieldExistng'"],
  ["monitor(positions, { enter: () => {} });", "'enter'"],
];

/** Code that needs another type than it gets, and the type that its error prints, which is the one that editors show. */
const SHOWN: readonly (readonly [code: string, type: string])[] = [
  ["each(positions, (row) => { const no: never = row; });", "{ x: number; y: number; }"],
  ["for (const [row] of rows(positions)) { const no: never = row; }", "{ x: number; y: number; }"],
  ["for (const row of rows(positions)) { const no: never = row; }", "[{ x: number; y: number; }, Entity]"],
  ["{ const no: never = get(world, ship, Position)!; }", "{ x: number; y: number; }"],
  ["{ const no: never = get(world, ship, DockedTo(ship))!; }", "{ since: number; }"],
  ["{ const no: never = get(world, ship, Label)!; }", "{ text: string; }"],
  ["patch(world, ship, Position, (row) => { const no: never = row; });", "{ x: number; y: number; }"],
  ["{ const no: never = query(world, Position, Enemy); }", "QueryOf<[{ x: number; y: number; }, Entity]>"],
  [
    "{ const no: never = query(world, up(Position)); }",
    "QueryOf<[Readonly<{ x: number; y: number; }>, Entity]>",
  ],
  ["read(world, ship, Position, { x: 0 });", "{ x: number; y: number; }"],
];

/** The keys that programs see of what they hold. */
const KEYS: readonly (readonly [type: string, keys: string])[] = [
  ["World", "unique symbol"],
  ["Query<[]>", "unique symbol"],
];

const KEYS_CODE = KEYS.map(([type]) => `{ const no: never = {} as keyof ${type}; }`);
const CODE = [...WRONG.map(([call]) => call), ...SHOWN.map(([code]) => code), ...KEYS_CODE];

/** The first error of each line of code, without its place. */
let texts: readonly string[] = [];

beforeAll(() => {
  const folder = programFolder();
  const output = typeErrors(folder, new Map([["wrong", [START, ...CODE].join("\n")]]), { isShipped: true });
  rmSync(folder, { recursive: true });
  texts = textsIn(output);
});

function textsIn(output: string): string[] {
  const found: string[] = [];
  for (const error of output.split(/^wrong\.ts/m).slice(1)) {
    const [, line, text] = /^\((\d+),\d+\): error (TS\d+: .*)$/s.exec(error)!;
    found[Number(line) - FIRST_LINE] ??= text!.trimEnd();
  }
  return found;
}

describe("the texts of type errors", () => {
  it("are the recorded ones", async () => {
    const recorded = WRONG.map(([call], place) => `${call}\n${texts[place] ?? "no error"}\n`).join("\n");

    await expect(recorded).toMatchFileSnapshot("expected/type-errors.txt");
  });

  it.each(WRONG.map(([call, names], place) => ({ call, names, place })))(
    "name what is wrong in $call",
    ({ names, place }) => {
      expect(texts[place]).toContain(names);
    },
  );
});

describe("what editors show", () => {
  it.each(SHOWN.map(([code, type], place) => ({ code, type, place })))(
    "is $type in $code",
    ({ type, place }) => {
      expect(texts[WRONG.length + place]).toContain(`'${type}'`);
    },
  );

  it.each(KEYS.map(([type, keys], place) => ({ type, keys, place })))(
    "of the keys of $type is $keys",
    ({ keys, place }) => {
      expect(texts[WRONG.length + SHOWN.length + place]).toBe(
        `TS2322: Type '${keys}' is not assignable to type 'never'.`,
      );
    },
  );
});
