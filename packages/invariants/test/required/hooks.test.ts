import {
  add,
  addMany,
  applyCommands,
  ChildOf,
  type Component,
  clone,
  component,
  createCommands,
  createWorld,
  type Entity,
  get,
  has,
  observe,
  record,
  type SchemaComponent,
  type SpawnTerm,
  set,
  sparse,
  spawn,
  spawnMany,
  spawnRows,
  type Tag,
  tag,
  type World,
  withHooks,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { fromDocument, toDocument } from "@treeline/document/json";
import { changed, count, each, added as isAdded, type Query, query } from "@treeline/query";
import { describe, expect, it } from "vitest";
import { refusalOf } from "../refusal.ts";

const log: string[] = [];
const told = (): string[] => log.splice(0);

function hooked<C extends Component>(made: C): C {
  const { name } = made as unknown as { readonly name: string };
  return withHooks(made as unknown as SchemaComponent<{ readonly x: 0 }>, {
    check: (_, __, { x }) => {
      log.push(`check ${name} ${x}`);
      if (x === 13) throw new Error(`${name} refuses`);
    },
    written: (_, __, { x }) => log.push(`written ${name} ${x}`),
    onSet: (_, __, { x }) => log.push(`set ${name} ${x}`),
  }) as unknown as C;
}

/** Each way of getting components. */
const WAYS: { readonly [name: string]: (world: World, terms: readonly SpawnTerm[]) => Entity } = {
  spawn: (world, terms) => spawn(world, ...terms),
  spawnMany: (world, terms) => spawnMany(world, 1, ...terms)[0]!,
  spawnRows: (world, terms) => spawnRows(world, 1, terms)[0]!,
  clone: (world, terms) => clone(world, spawn(world), { with: terms }),
  add: (world, terms) => {
    const one = spawn(world);
    add(world, one, ...terms);
    return one;
  },
  addMany: (world, terms) => {
    const one = spawn(world);
    addMany(world, [one], ...terms);
    return one;
  },
  "a command buffer": (world, terms) => {
    const buffer = createCommands(world);
    const one = record(buffer, () => spawn(world, ...terms));
    applyCommands(buffer);
    return one;
  },
};

describe.each([
  ["in tables", {}],
  ["sparse", { storage: sparse }],
])("hooks and observers of components %s", (_, storage) => {
  /** The requirer is defined first, so that the order of definition is another one. */
  const Top: SchemaComponent<{ readonly x: 3 }> = hooked(
    component("Top", { x: 3 }, { ...storage, requires: () => [Middle] }),
  );
  const Middle: SchemaComponent<{ readonly x: 2 }> = hooked(
    component("Middle", { x: 2 }, { ...storage, requires: () => [Bottom] }),
  );
  const Bottom = hooked(component("Bottom", { x: 1 }, storage));

  it.each(Object.keys(WAYS))("are called for the required first, the deepest before others, by %s", (way) => {
    const world = createWorld();
    for (const what of [Top, Middle, Bottom]) {
      observe(world, { added: what as Component, set: what as Component }, ({ kind }) =>
        log.push(`${kind === "set" ? "observed" : "added"} ${what.name}`),
      );
    }

    WAYS[way]!(world, [Top({ x: 9 }), Bottom({ x: 4 })]);

    expect(told()).toEqual([
      "check Bottom 4",
      "check Middle 2",
      "check Top 9",
      "written Bottom 4",
      "set Bottom 4",
      "written Middle 2",
      "set Middle 2",
      "written Top 9",
      "set Top 9",
      "added Bottom",
      "added Middle",
      "added Top",
      "observed Bottom",
      "observed Top",
    ]);
    expect(verify(world)).toEqual([]);
  });

  it.each(Object.keys(WAYS))("that refuse what is required refuse all, by %s", (way) => {
    const Refused = withHooks(component("Refused", { x: 0 }, storage), {
      check: () => {
        throw Object.assign(new Error("no"), { code: "refused by a hook" });
      },
    });
    const Wanted = tag("Wanted", { requires: [Refused] });
    const world = createWorld();
    const one = spawn(world);

    expect(refusalOf(world, () => add(world, one, Wanted))).toBe("refused by a hook");
    expect(refusalOf(world, () => addMany(world, [one], Wanted))).toBe("refused by a hook");
    if (way !== "add" && way !== "addMany") expect(() => WAYS[way]!(world, [Wanted])).toThrow("no");
    expect([has(world, one, Wanted), has(world, one, Refused)]).toEqual([false, false]);
    expect(verify(world)).toEqual([]);
  });

  it("returns another value, which the entity gets in place of the default", () => {
    const Fixed = withHooks(component("Fixed", { x: 0 }, storage), { check: () => ({ x: 5 }) });
    const Wanted = component("Wanted", { x: 0 }, { ...storage, requires: [Fixed] });
    const world = createWorld();

    const one = spawn(world, Wanted);
    const two = spawn(world);
    add(world, two, Wanted);

    expect([get(world, one, Fixed), get(world, two, Fixed)]).toEqual([{ x: 5 }, { x: 5 }]);
  });

  it("that are set on a component which an entity lacks get what that requires", () => {
    const world = createWorld();
    const one = spawn(world);

    set(world, one, Top, { x: 6 });

    expect([get(world, one, Middle), get(world, one, Bottom)]).toEqual([{ x: 2 }, { x: 1 }]);
    told();
  });
});

describe("components that require one another", () => {
  const First: Tag = tag("First", { requires: () => [Second] });
  const Second: Tag = tag("Second", { requires: () => [Third, Second] });
  const Third: Tag = tag("Third", { requires: [First] });

  it("come together, whichever is given, and observers are told in one order", () => {
    for (const given of [First, Second, Third]) {
      const world = createWorld();
      for (const what of [First, Second, Third]) observe(world, { added: what }, () => log.push(what.name));

      spawn(world, given);
      expect(told().join(" ")).toBe("Third Second First");
      add(world, spawn(world), given);
      expect(told().join(" ")).toBe("Third Second First");
      addMany(world, [spawn(world)], given);
      expect(told().join(" ")).toBe("Third Second First");
    }
  });
});

describe("queries", () => {
  it("find what was required as added and changed, once", () => {
    const Needed = component("Needed", { x: 0 });
    const Requirer = tag("Requirer", { requires: [Needed] });
    const world = createWorld();
    const asAdded = query(world, isAdded(Needed));
    const asChanged = query(world, changed(Needed));
    const rowsOf = (one: Query): number => {
      let rows = 0;
      each(one, () => rows++);
      return rows;
    };
    const read = (): number[] => [rowsOf(asAdded), rowsOf(asChanged)];
    const one = spawn(world);
    read();

    spawn(world, Requirer);
    add(world, one, Requirer);

    expect(read()).toEqual([2, 2]);
    expect(read()).toEqual([0, 0]);
  });
});

describe("a document", () => {
  it("is refused as a whole if a hook refuses what is required", () => {
    const saved = createWorld();
    const Plain = component("Requirer", { x: 0 });
    const root = spawn(saved);
    spawn(saved, Plain, ChildOf(root));
    const Refused = withHooks(component("Refused", { x: 0 }), {
      check: () => {
        throw new Error("no");
      },
    });
    const Requirer = component("Requirer", { x: 0 }, { requires: [Refused] });
    const world = createWorld();

    const load = (): unknown => fromDocument(world, toDocument(saved, { root }), { definitions: [Requirer] });

    expect(load).toThrow("no");
    expect(count(query(world, Requirer))).toBe(0);
    expect(verify(world)).toEqual([]);
  });
});
