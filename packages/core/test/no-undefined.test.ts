import { beforeEach, describe, expect, it } from "vitest";
import * as core from "../src/index.ts";
import {
  add,
  addMany,
  asTag,
  clear,
  clone,
  component,
  componentsOf,
  defer,
  definitionAt,
  destroyMany,
  emit,
  entityOf,
  event,
  f32,
  get,
  has,
  isAlive,
  isDisabled,
  locate,
  markChanged,
  observe,
  observeChildren,
  observeEntity,
  pairsOf,
  parentOf,
  patch,
  read,
  release,
  remove,
  removeMany,
  reparentMany,
  set,
  spawnMany,
  spawnRows,
  subjectsOf,
  TreelineError,
  tagsOf,
  targetOf,
  targetsOf,
} from "../src/index.ts";
import { Any, ChildOf, Damage, Likes, Parent, Position } from "./definitions.ts";
import { dock, setShipAndDock, ship, spawn, world } from "./fixture.ts";
import { verify } from "./reading.ts";
import { stateOf } from "./world/refused.ts";

const Ping = event("Ping");
const Cell = component("Cell", { x: f32 });

beforeEach(setShipAndDock);

function refusalOf(act: () => unknown): TreelineError {
  const before = stateOf(world);
  let refusal: unknown;
  try {
    act();
  } catch (error) {
    refusal = error;
  }
  expect(stateOf(world)).toEqual(before);
  expect(verify(world)).toEqual([]);
  expect(refusal).toBeInstanceOf(TreelineError);
  return refusal as TreelineError;
}

/** The functions of the package that take an entity, with undefined in its place. */
const ENTITIES: [name: string, act: () => unknown][] = [
  // @ts-expect-error: undefined is not an entity, here and below
  ["add", () => add(world, undefined, Position)],
  // @ts-expect-error
  ["addMany", () => addMany(world, [ship, undefined], Position)],
  // @ts-expect-error
  ["destroyMany", () => destroyMany(world, [ship, undefined])],
  // @ts-expect-error
  ["removeMany", () => removeMany(world, [ship, undefined], Position)],
  // @ts-expect-error
  ["reparentMany", () => reparentMany(world, [ship, undefined], dock)],
  // @ts-expect-error
  ["reparentMany below it", () => reparentMany(world, [ship], undefined)],
  // @ts-expect-error
  ["reparentMany below it, in a list", () => reparentMany(world, [ship], [undefined])],
  // @ts-expect-error
  ["clear", () => clear(world, undefined)],
  // @ts-expect-error
  ["clone", () => clone(world, undefined)],
  // @ts-expect-error
  ["observeChildren", () => observeChildren(world, undefined, () => {})],
  // @ts-expect-error
  ["observeEntity", () => observeEntity(world, undefined, { added: Position }, () => {})],
  // @ts-expect-error
  ["componentsOf", () => componentsOf(world, undefined)],
  // @ts-expect-error
  ["tagsOf", () => tagsOf(world, undefined)],
  // @ts-expect-error
  ["pairsOf", () => pairsOf(world, undefined)],
  // @ts-expect-error
  ["emit", () => emit(world, undefined, Ping)],
  // @ts-expect-error
  ["get", () => get(world, undefined, Position)],
  // @ts-expect-error
  ["has", () => has(world, undefined, Position)],
  // @ts-expect-error
  ["isDisabled", () => isDisabled(world, undefined)],
  // @ts-expect-error
  ["locate", () => locate(world, undefined, Position)],
  // @ts-expect-error
  ["markChanged", () => markChanged(world, undefined, Position)],
  // @ts-expect-error
  ["parentOf", () => parentOf(world, undefined)],
  // @ts-expect-error
  ["patch", () => patch(world, undefined, Position, () => {})],
  // @ts-expect-error
  ["read", () => read(world, undefined, Position, { x: 0 })],
  // @ts-expect-error
  ["release", () => release(world, undefined)],
  // @ts-expect-error
  ["remove", () => remove(world, undefined, Position)],
  // @ts-expect-error
  ["set", () => set(world, undefined, Position, { x: 1 })],
  // @ts-expect-error
  ["subjectsOf", () => subjectsOf(world, undefined, Likes)],
  // @ts-expect-error
  ["targetOf", () => targetOf(world, undefined, Likes)],
  // @ts-expect-error
  ["targetsOf", () => targetsOf(world, undefined, Likes)],
];

/** Pairs with undefined as their target. */
const TARGETS: [name: string, act: () => unknown][] = [
  ["asTag", () => add(world, ship, asTag(undefined as never))],
  // @ts-expect-error: a pair needs a target, here and below
  ["add of ChildOf", () => add(world, ship, ChildOf(undefined))],
  // @ts-expect-error
  ["add of Parent", () => add(world, ship, Parent(undefined))],
  // @ts-expect-error
  ["add of a relation", () => add(world, ship, Position, Likes(undefined))],
  // @ts-expect-error
  ["add of a relation with values", () => add(world, ship, Damage(undefined, { amount: 1 }))],
  // @ts-expect-error
  ["addMany", () => addMany(world, [ship], ChildOf(undefined))],
  // @ts-expect-error
  ["removeMany", () => removeMany(world, [ship], ChildOf(undefined))],
  // @ts-expect-error
  ["spawn", () => spawn(world, ChildOf(undefined))],
  // @ts-expect-error
  ["spawnMany", () => spawnMany(world, 3, Likes(undefined))],
  // @ts-expect-error
  ["spawnRows", () => spawnRows(world, 1, [Likes(undefined)])],
  // @ts-expect-error
  ["spawnRows, in a list", () => spawnRows(world, 2, [ChildOf.each([ship, undefined])])],
  // @ts-expect-error
  ["clone", () => clone(world, ship, { with: [ChildOf(undefined)] })],
  // @ts-expect-error
  ["get", () => get(world, ship, Damage(undefined))],
  // @ts-expect-error
  ["has", () => has(world, ship, Likes(undefined))],
  // @ts-expect-error
  ["has of Any", () => has(world, ship, Any(undefined))],
  // @ts-expect-error
  ["locate", () => locate(world, ship, Damage(undefined))],
  // @ts-expect-error
  ["markChanged", () => markChanged(world, ship, Damage(undefined))],
  // @ts-expect-error
  ["patch", () => patch(world, ship, Damage(undefined), () => {})],
  // @ts-expect-error
  ["read", () => read(world, ship, Damage(undefined), { amount: 1 })],
  // @ts-expect-error
  ["remove", () => remove(world, ship, ChildOf(undefined))],
  // @ts-expect-error
  ["remove of Any", () => remove(world, ship, Any(undefined))],
  // @ts-expect-error
  ["set", () => set(world, ship, Damage(undefined), { amount: 1 })],
  // @ts-expect-error
  ["observe of added", () => observe(world, { added: ChildOf(undefined) }, () => {})],
  // @ts-expect-error
  ["observe of reordered", () => observe(world, { reordered: ChildOf(undefined) }, () => {})],
  // @ts-expect-error
  ["observe of Any", () => observe(world, { removed: Any(undefined) }, () => {})],
];

/** Undefined in place of a term, which may be an entity that is used as a tag. */
const TERMS: [name: string, act: () => unknown][] = [
  // @ts-expect-error: undefined is not a term, here and below
  ["add", () => add(world, ship, undefined)],
  // @ts-expect-error
  ["addMany", () => addMany(world, [ship], undefined)],
  // @ts-expect-error
  ["removeMany", () => removeMany(world, [ship], undefined)],
  // @ts-expect-error
  ["spawn", () => spawn(world, Cell, undefined)],
  // @ts-expect-error
  ["spawnMany", () => spawnMany(world, 2, undefined)],
  // @ts-expect-error
  ["spawnRows", () => spawnRows(world, 2, [undefined])],
  // @ts-expect-error
  ["clone", () => clone(world, ship, { with: [undefined] })],
  // @ts-expect-error
  ["has", () => has(world, ship, undefined)],
  // @ts-expect-error
  ["remove", () => remove(world, ship, undefined)],
  // @ts-expect-error
  ["entityOf", () => entityOf(world, undefined)],
  // @ts-expect-error
  ["observe", () => observe(world, { added: undefined }, () => {})],
  // @ts-expect-error
  ["observe, beside others", () => observe(world, { added: Position, removed: undefined }, () => {})],
  ["observe of emitted", () => observe(world, { emitted: undefined as never }, () => {})],
];

describe("undefined in place of an entity", () => {
  it.each(ENTITIES)("is refused as dead-entity by %s", (_, act) => {
    const { code, message } = refusalOf(act);

    expect(code).toBe("dead-entity");
    expect(message).toMatch(/undefined is not an entity; pass a handle that spawn returned/);
  });

  it.each(TARGETS)("is refused as dead-entity as a target, by %s", (_, act) => {
    const { code, message } = refusalOf(act);

    expect(code).toBe("dead-entity");
    expect(message).toMatch(/undefined is not an entity; /);
  });

  it.each(TERMS)("is refused as bad-term in place of a term, by %s", (_, act) => {
    expect(refusalOf(act).code).toBe("bad-term");
  });

  it.each([...ENTITIES, ...TARGETS])("is refused at once inside an iteration too, by %s", (_, act) => {
    const reached: string[] = [];

    refusalOf(() =>
      defer(world, () => {
        try {
          act();
          reached.push("not refused");
        } finally {
          reached.push("end");
        }
      }),
    );

    expect(reached).toEqual(["end"]);
  });

  it("is not alive and has no definition: isAlive and definitionAt accept any value", () => {
    // @ts-expect-error: undefined is not an entity
    expect(isAlive(world, undefined)).toBe(false);
    // @ts-expect-error: undefined is not an entity
    expect(definitionAt(world, undefined)).toBeUndefined();
  });

  it("is tested for each function of the package that is not in this list", () => {
    const others = [
      ...["Any", "ChildOf", "Disabled", "DisabledTree", "OrderedChildren", "Parent", "TreelineError"],
      ...[
        "array",
        "bits",
        "bool",
        "entity",
        "f32",
        "f64",
        "i16",
        "i32",
        "i8",
        "u16",
        "u32",
        "sparse",
        "u8",
        "value",
      ],
      ...["component", "event", "relation", "tag", "withDisabledTree", "withHooks", "withPolicy"],
      ...["createWorld", "defer", "pack", "plainMemory", "webAssemblyMemory"],
      ...[
        "definitionAt",
        "definitionNamed",
        "definitions",
        "entityAt",
        "field",
        "isAlive",
        "reserve",
        "value",
      ],
      ...["applyCommands", "createCommands", "discardCommands", "disposeWorld", "observeRoots", "record"],
    ];
    const tested = [...ENTITIES, ...TARGETS, ...TERMS].map(([name]) => name.split(/[ ,]/)[0]);

    expect(Object.keys(core).filter((name) => !others.includes(name) && !tested.includes(name))).toEqual([]);
  });
});
