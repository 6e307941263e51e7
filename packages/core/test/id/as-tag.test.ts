import { beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import {
  add,
  addMany,
  applyCommands,
  asTag,
  clone,
  createCommands,
  definitionAt,
  destroyMany,
  type EntityTag,
  emit,
  entityOf,
  field,
  get,
  has,
  locate,
  markChanged,
  observe,
  observeEntity,
  pairsOf,
  parentOf,
  patch,
  read,
  record,
  remove,
  removeMany,
  reserve,
  set,
  spawn,
  spawnMany,
  spawnRows,
  subjectsOf,
  TreelineError,
  tagsOf,
  targetOf,
  targetsOf,
  type WorldEvent,
} from "../../src/index.ts";
import { Any, ChildOf, Frozen, Likes, Position } from "../definitions.ts";
import { dock, setShipAndDock, ship, world } from "../fixture.ts";
import { codeOf, describe as described, verify } from "../reading.ts";
import { stateOf } from "../world/refused.ts";

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

/** The functions that take terms, with something in place of one. */
const VERBS: [name: string, act: (what: never) => unknown][] = [
  ["spawn", (what) => spawn(world, what)],
  ["spawn, beside others", (what) => spawn(world, Position, what)],
  ["spawnMany", (what) => spawnMany(world, 2, what)],
  ["spawnRows", (what) => spawnRows(world, 2, [Position, what])],
  ["reserve", (what) => reserve(world, 2, what)],
  ["add", (what) => add(world, dock, what)],
  ["add, beside others", (what) => add(world, dock, Position, what)],
  ["addMany", (what) => addMany(world, [dock], what)],
  ["clone", (what) => clone(world, dock, { with: [what] })],
  ["remove", (what) => remove(world, dock, what)],
  ["removeMany", (what) => removeMany(world, [dock], what)],
  ["has", (what) => has(world, dock, what)],
  ["get", (what) => get(world, dock, what)],
  ["set", (what) => set(world, dock, what, {} as never)],
  ["patch", (what) => patch(world, dock, what, () => {})],
  ["read", (what) => read(world, dock, what, {} as never)],
  ["locate", (what) => locate(world, dock, what)],
  ["markChanged", (what) => markChanged(world, dock, what)],
  ["observe", (what) => observe(world, { added: what }, () => {})],
  ["observeEntity", (what) => observeEntity(world, dock, { removed: what }, () => {})],
];

/** The functions that take a definition, with something in place of it. */
const OTHERS: [name: string, act: (what: never) => unknown][] = [
  ["field", (what) => field(what, "x" as never)],
  ["entityOf", (what) => entityOf(world, what)],
  ["targetOf", (what) => targetOf(world, dock, what)],
  ["targetsOf", (what) => targetsOf(world, dock, what)],
  ["subjectsOf", (what) => subjectsOf(world, dock, what)],
  ["pairsOf", (what) => pairsOf(world, dock, what)],
  ["emit", (what) => emit(world, dock, what)],
];

describe("a handle in place of a term is refused", () => {
  it.each(VERBS)("as bad-term by %s, which names the entity and what may be meant", (_, act) => {
    world.textOf = (_: unknown, entity: number) => (entity === ship ? "Fleet::Ship" : "another");

    const { code, message } = refusalOf(() => act(ship as never));

    expect(code).toBe("bad-term");
    expect(message).toBe(
      "Fleet::Ship is not a component, tag or pair; write ChildOf(entity) for a child of it, asTag(entity) for a tag",
    );
  });

  it.each(OTHERS)("as bad-term by %s", (_, act) => {
    expect(refusalOf(() => act(ship as never)).code).toBe("bad-term");
  });

  it.each([...VERBS, ...OTHERS])("as bad-term if it is stale, 0, NaN or no handle, by %s", (_, act) => {
    destroyMany(world, [ship]);

    const odd = [ship, 0, Number.NaN, -1, 1.5];

    expect(odd.map((what) => codeOf(() => act(what as never)))).toEqual(odd.map(() => "bad-term"));
  });

  it("at once, inside an iteration and while commands are recorded too", () => {
    const commands = createCommands(world);

    expect(codeOf(() => record(commands, () => add(world, dock, ship as never)))).toBe("bad-term");
    expect(codeOf(() => record(commands, () => spawn(world, ship as never)))).toBe("bad-term");
  });

  it("by a component entity's handle too", () => {
    const entity = entityOf(world, Frozen);

    expect(codeOf(() => add(world, dock, entity as never))).toBe("bad-term");
    expect(codeOf(() => has(world, dock, entity as never))).toBe("bad-term");
  });
});

describe("a definition in place of an entity is refused", () => {
  it.each<[name: string, act: (what: never) => unknown]>([
    ["parentOf", (what) => parentOf(world, what)],
    ["tagsOf", (what) => tagsOf(world, what)],
    ["get", (what) => get(world, what, Position)],
    ["add", (what) => add(world, what, Frozen)],
    ["a pair in spawn", (what) => spawn(world, Likes(what))],
    ["asTag", (what) => asTag(what)],
  ])("by %s, by name", (_, act) => {
    const { code, message } = refusalOf(() => act(Position as never));

    expect(["dead-entity", "bad-term"]).toContain(code);
    expect(message).toMatch(/Position|Likes needs an entity/);
  });
});

describe("asTag", () => {
  it("makes a term of an entity, which it has as target", () => {
    expectTypeOf(asTag(ship)).toEqualTypeOf<EntityTag>();
    expect(asTag(ship).target).toBe(ship);
    expect(asTag(ship)).toEqual(asTag(ship));
  });

  it("gives entities a tag, and no parent", () => {
    const one = spawn(world, Position, asTag(ship));
    add(world, dock, asTag(ship), Frozen);

    expect([has(world, one, asTag(ship)), has(world, dock, asTag(ship))]).toEqual([true, true]);
    expect([has(world, one, asTag(dock)), parentOf(world, one)]).toEqual([false, undefined]);
    expect(has(world, one, Any(Any))).toBe(false);
  });

  it("is what tagsOf returns, and can be given to another entity", () => {
    const one = spawn(world, asTag(ship), Frozen, asTag(dock));

    for (const what of tagsOf(world, one)) add(world, dock, what);

    expect(tagsOf(world, dock)).toEqual([Frozen, asTag(ship), asTag(dock)]);
  });

  it("is told apart from tags by its target", () => {
    spawn(world, asTag(ship), Frozen);

    const used = tagsOf(world, spawn(world, asTag(ship), Frozen)).flatMap((one) =>
      "target" in one ? one.target : [],
    );

    expectTypeOf(used).toExtend<number[]>();
    expect(used).toEqual([ship]);
  });

  it("is made again from what an observer of it receives", () => {
    const events: WorldEvent[] = [];
    observe(world, { added: asTag(ship), removed: asTag(ship) }, (event) => events.push(event));

    const one = spawn(world, asTag(ship));
    remove(world, one, asTag(ship));
    add(world, dock, asTag(events[0]!.target!));

    expect(events.map(({ kind, entity, target }) => [kind, entity, target])).toEqual([
      ["added", one, ship],
      ["removed", one, ship],
      ["added", dock, ship],
    ]);
  });

  it("works in lists, clones, reserved room and commands", () => {
    reserve(world, 4, asTag(ship));
    const many = spawnMany(world, 2, asTag(ship));
    const rows = spawnRows(world, 2, [Position, asTag(ship)]);
    const copy = clone(world, rows[0]!, { with: [asTag(dock)] });
    const commands = createCommands(world);
    const recorded = record(commands, () => spawn(world, asTag(ship), asTag(dock)));
    applyCommands(commands);
    addMany(world, many, asTag(dock));
    removeMany(world, rows, asTag(ship));

    const has2 = (one: typeof ship): boolean[] => [ship, dock].map((of) => has(world, one, asTag(of)));
    expect([...many, ...rows, copy, recorded].map(has2)).toEqual([
      [true, true],
      [true, true],
      [false, false],
      [false, false],
      [true, true],
      [true, true],
    ]);
    expect(verify(world)).toEqual([]);
  });

  it("is lost when the entity is destroyed, and a stale one is refused as dead-entity", () => {
    const one = spawn(world, asTag(ship));
    destroyMany(world, [ship]);

    expect(tagsOf(world, one)).toEqual([]);
    expect(codeOf(() => spawn(world, asTag(ship)))).toBe("dead-entity");
    expect(codeOf(() => add(world, one, Frozen, asTag(ship)))).toBe("dead-entity");
    expect(codeOf(() => addMany(world, [one], asTag(ship)))).toBe("dead-entity");
    expect(codeOf(() => observe(world, { added: asTag(ship) }, () => {}))).toBe("dead-entity");
    expect(has(world, one, asTag(ship))).toBe(false);
  });

  it("of what cannot be a handle is refused as dead-entity", () => {
    for (const odd of [0, -1, Number.NaN, 1.5, undefined, "ship"]) {
      expect(codeOf(() => spawn(world, asTag(odd as never)))).toBe("dead-entity");
      expect(codeOf(() => has(world, dock, asTag(odd as never)))).toBe("dead-entity");
    }
  });

  it("of a component entity means its definition, of which it may be any pair", () => {
    const [frozen, likes] = [entityOf(world, Frozen), entityOf(world, Likes)];
    const one = spawn(world, asTag(frozen), Likes(ship));

    expect([has(world, one, Frozen), has(world, one, asTag(likes))]).toEqual([true, true]);
    expect(tagsOf(world, one)).toEqual([Frozen]);
    expect(definitionAt(world, frozen)).toBe(Frozen);
    expect(codeOf(() => spawn(world, asTag(likes)))).toBe("bad-term");
  });

  it("of a component entity means its definition after spawns of other entities as tags", () => {
    const one = spawn(world, asTag(ship));
    const other = spawn(world, asTag(entityOf(world, Frozen)));

    expect([tagsOf(world, one), tagsOf(world, other)]).toEqual([[asTag(ship)], [Frozen]]);
    expect(verify(world)).toEqual([]);
  });

  it("is described like a pair", () => {
    expect(described(world, asTag(ship))).toBe("(asTag, #1)");
  });

  it("has no values", () => {
    // @ts-expect-error an entity as a tag has no value
    expect(codeOf(() => set(world, dock, asTag(ship), {}))).toBe("bad-value");
    // @ts-expect-error nor has it one to get
    expect(get(world, dock, asTag(ship))).toBeUndefined();
  });

  it("is asked for by name, in types too", () => {
    const never = (act: () => unknown): unknown => act;
    // @ts-expect-error a handle is no term
    never(() => spawn(world, Position, ship));
    // @ts-expect-error a handle is no term
    never(() => add(world, dock, ship));
    // @ts-expect-error a handle is no term
    never(() => remove(world, dock, ship));
    // @ts-expect-error a handle is no term
    never(() => has(world, dock, ship));
    // @ts-expect-error a handle is no term
    never(() => get(world, dock, ship));
    // @ts-expect-error a handle is no term
    never(() => spawnMany(world, 2, ship));
    // @ts-expect-error a handle is no term
    never(() => spawnRows(world, 2, [ship]));
    // @ts-expect-error a handle is no term
    never(() => addMany(world, [dock], ship));
    // @ts-expect-error a handle is no term
    never(() => removeMany(world, [dock], ship));
    // @ts-expect-error a handle is no term
    never(() => reserve(world, 2, ship));
    // @ts-expect-error a handle is no term
    never(() => clone(world, dock, { with: [ship] }));
    // @ts-expect-error a handle is no term
    never(() => observe(world, { added: ship }, () => {}));
    // @ts-expect-error nor is an entity as a tag a handle
    never(() => parentOf(world, asTag(ship)));
    // @ts-expect-error nor the target of a pair
    never(() => ChildOf(asTag(ship)));
    // @ts-expect-error only entities are asked for
    never(() => asTag(Position));
    // @ts-expect-error a plain number is no handle
    never(() => asTag(5));
  });
});
