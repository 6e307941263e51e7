import {
  ChildOf,
  component,
  createWorld,
  f32,
  get,
  observe,
  Parent,
  spawn,
  type World,
} from "@treeline/core";
import { dump, verify } from "@treeline/core/debug";
import { configureNames, lookup, Name } from "@treeline/names";
import { cascade, changed, children, depthOf, entities, inOrder, query } from "@treeline/query";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromDocument } from "../../src/json.ts";
import { Position, refused, SAVED, save } from "../support.ts";

const Speed = component("Speed", { x: f32(2) });
const definitions = [Position, Speed];

/** Random trees of entities that are appended by tables: names, two components, both storages of parents. */
const trees = fc.array(
  fc.record({
    parent: fc.nat(12),
    isValue: fc.boolean(),
    kind: fc.nat(3),
    name: fc.constantFrom(undefined, "A", "B", "C"),
  }),
  { maxLength: 30 },
);

interface Line {
  readonly parent: number;
  readonly isValue: boolean;
  readonly kind: number;
  readonly name: string | undefined;
}

function textOf(lines: readonly Line[]): string {
  const entities = lines.map(({ parent, isValue, kind, name }, at) => {
    const above = parent <= at && parent > 0 ? { parent, ...(isValue ? { storage: "Parent" } : {}) } : {};
    const components = {
      ...(kind & 1 ? { Position: { x: at, y: 1 } } : {}),
      ...(kind & 2 ? { Speed: {} } : {}),
    };
    return { id: at + 1, ...above, ...(name === undefined ? {} : { name: `${name}${at}` }), components };
  });
  return JSON.stringify({ format: "treeline", version: 1, form: "flat", entities });
}

describe("entities that are appended by tables", () => {
  it("make the same world as entities that are inserted one by one", () => {
    fc.assert(
      fc.property(trees, (lines) => {
        const text = textOf(lines);
        const quick = createWorld();
        const slow = createWorld();
        for (const one of definitions) observe(slow, { added: one }, () => {});
        observe(slow, { spawned: true }, () => {});
        for (const world of [quick, slow]) {
          spawn(world, Position); // an archetype that has rows already
          fromDocument(world, text, { definitions });
        }

        expect(verify(quick)).toEqual([]);
        expect(save(quick, "flat")).toBe(save(slow, "flat"));
        expect(depthsIn(quick)).toEqual(depthsIn(slow));
      }),
      { numRuns: SAVED },
    );
  });

  it("are found by queries that were made before, parents first, and as changed", () => {
    const world = createWorld();
    const moving = query(world, cascade(Position));
    const fresh = query(world, changed(Position));
    entities(fresh);
    const text = textOf([
      { parent: 0, isValue: false, kind: 1, name: "A" },
      { parent: 1, isValue: true, kind: 3, name: "B" },
      { parent: 2, isValue: false, kind: 1, name: "C" },
    ]);

    fromDocument(world, text, { definitions });

    const [a, b, c] = ["A0", "A0::B1", "A0::B1::C2"].map((path) => lookup(world, path)!);
    expect(entities(moving)).toEqual([a, b, c]);
    expect([...entities(fresh)].sort()).toEqual([a, b, c].sort());
    expect(get(world, b!, Speed)).toEqual({ x: 2 });
  });

  it("get other names where a world adds suffixes, also among one another", () => {
    const world = createWorld();
    configureNames(world, { collisions: "suffix" });
    const parent = spawn(world, Name("Box"));
    spawn(world, Name("A"), ChildOf(parent));
    const text = '{"format":"treeline","version":1,"form":"flat","entities":[{"name":"A"},{"name":"A"}]}';

    fromDocument(world, text, { parent });

    expect(children(world, parent).map((child) => get(world, child, Name))).toEqual(["A", "A (2)", "A (3)"]);
    expect(lookup(world, "Box::A (3)")).toBe(children(world, parent)[2]);
  });

  it("come after the children that a parent has, in either storage", () => {
    const world = createWorld();
    const parent = spawn(world);
    const first = spawn(world, Parent(parent));
    const text = '{"format":"treeline","version":1,"form":"flat","entities":[{},{}]}';

    const byType = fromDocument(world, text, { parent });
    const byValue = fromDocument(world, text, { with: [Parent(parent)] });

    expect(children(world, parent)).toEqual([first, ...byType, ...byValue]);
    expect(verify(world)).toEqual([]);
  });

  it("are none if one of them is refused", () => {
    const world = createWorld();
    spawn(world, Name("B"));
    const text = '{"format":"treeline","version":1,"form":"flat","entities":[{"name":"A"},{"name":"B"}]}';

    expect(refused(world, () => fromDocument(world, text)).code).toBe("name-taken");
    expect(lookup(world, "A")).toBeUndefined();
    expect(dump(world)).not.toContain("A");
  });
});

/** In document order: the order of tables depends on the way in which they are made. */
function depthsIn(world: World): number[] {
  return entities(query(world, inOrder())).map((entity) => depthOf(world, entity));
}
