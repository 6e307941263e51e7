import { describe, expect, expectTypeOf, it } from "vitest";
import {
  Any,
  type AnyPair,
  add,
  array,
  bool,
  ChildOf,
  type CloneOptions,
  clone,
  component,
  createWorld,
  type Definition,
  type DestroyedEvent,
  defer,
  definitionAt,
  type EmittedEvent,
  type Entity,
  emit,
  entity,
  entityOf,
  event,
  f32,
  f64,
  get,
  has,
  i8,
  type LifeEvent,
  type Location,
  locate,
  type ObjectComponent,
  observe,
  observeChildren,
  observeEntity,
  observeRoots,
  type Pair,
  parentOf,
  type Relation,
  type RootEvent,
  read,
  relation,
  remove,
  type SpawnTerm,
  set,
  spawn,
  spawnMany,
  subjectsOf,
  type Tag,
  type TermPattern,
  TreelineError,
  type TreelineErrorCode,
  tag,
  targetOf,
  targetsOf,
  u16,
  value,
  type World,
  type WorldEvent,
  withDisabledTree,
  withHooks,
  withPolicy,
} from "../src/index.ts";
import { Frozen, Likes } from "./definitions.ts";
import { asTag } from "./reading.ts";

const Everything = component("Everything", {
  small: i8,
  large: f64,
  on: bool,
  at: entity,
  cells: array(f32, 16),
  words: array(u16, 2),
});
const Position = component("Position", { x: f32, y: f32 });
const Mesh = component<{ readonly name: string }>("Mesh");
const Title = component("Title", value("untitled"));
const Text = component("Text", {
  value: "",
  size: f32(12),
  bold: false,
  at: 0,
  style: value<{ readonly font: string } | undefined>(),
});
const Damage = relation("Damage", { fields: { amount: f32, by: entity } });

const world = createWorld();
const ship = spawn(world);
const one = spawn(world, Everything, Position, Mesh({ name: "crate" }), Damage(ship), ChildOf(ship));

/** For calls that must not compile; they are never run. */
function never(_act: () => unknown): void {}

describe("the types of what is read", () => {
  it("follow the schema, with undefined for what may be absent", () => {
    expectTypeOf(get(world, one, Position)).toEqualTypeOf<{ x: number; y: number } | undefined>();
    expectTypeOf(get(world, one, Everything)).toEqualTypeOf<
      | {
          small: number;
          large: number;
          on: boolean;
          at: Entity | undefined;
          cells: Float32Array;
          words: Uint16Array;
        }
      | undefined
    >();
  });

  it("are the value's own for components without schema", () => {
    expectTypeOf(get(world, one, Mesh)).toEqualTypeOf<{ readonly name: string } | undefined>();
    expectTypeOf(component<string>("Label")).toEqualTypeOf<ObjectComponent<string>>();
  });

  it("follow the fields of pairs with data", () => {
    expectTypeOf(get(world, one, Damage(ship))).toEqualTypeOf<
      { amount: number; by: Entity | undefined } | undefined
    >();
  });

  it("are entities or undefined for targets and parents", () => {
    expectTypeOf(targetOf(world, one, Likes)).toEqualTypeOf<Entity | undefined>();
    expectTypeOf(targetOf(world, one, Damage)).toEqualTypeOf<Entity | undefined>();
    expectTypeOf(parentOf(world, one)).toEqualTypeOf<Entity | undefined>();
    expectTypeOf(spawnMany(world, 2)).toEqualTypeOf<Entity[]>();
  });

  it("refuse components with values where the value would be ignored", () => {
    // @ts-expect-error has compares no values
    never(() => has(world, one, Position({ x: 1 })));
    // @ts-expect-error nor does get
    never(() => get(world, one, Position({ x: 1 })));
    // @ts-expect-error nor does remove
    never(() => remove(world, one, Position({ x: 1 })));
  });

  it("are yes or no for has and read", () => {
    expectTypeOf(has(world, one, Frozen)).toEqualTypeOf<boolean>();
    expectTypeOf(read(world, one, Position, { x: 0, y: 0 })).toEqualTypeOf<boolean>();
  });
});

describe("the types of columns", () => {
  it("are one typed array for each field", () => {
    const columns = locate(world, one, Everything)!.columns;

    expectTypeOf(columns.small).toEqualTypeOf<Int8Array>();
    expectTypeOf(columns.large).toEqualTypeOf<Float64Array>();
    expectTypeOf(columns.on).toEqualTypeOf<Uint8Array>();
    expectTypeOf(columns.at).toEqualTypeOf<Float64Array>();
    expectTypeOf(columns.cells).toEqualTypeOf<Float32Array>();
    expectTypeOf(columns.words).toEqualTypeOf<Uint16Array>();
  });

  it("are the list of values for components without schema, and the fields of pairs", () => {
    expectTypeOf(locate(world, one, Mesh)!.columns).toEqualTypeOf<{ readonly name: string }[]>();
    expectTypeOf(locate(world, one, Damage(ship))!.columns.amount).toEqualTypeOf<Float32Array>();
    expectTypeOf(locate(world, one, Position)!.row).toEqualTypeOf<number>();
  });

  it("may be absent", () => {
    // @ts-expect-error undefined is not excluded
    never(() => locate(world, one, Position).columns);
  });
});

describe("the types of what is written", () => {
  it("allow any of the fields, and lists as plain or typed ones", () => {
    set(world, one, Position, {});
    set(world, one, Position, { y: 1 });
    set(world, one, Everything, { cells: new Array<number>(16).fill(0), words: Uint16Array.of(1, 2) });
    set(world, one, Everything, { at: ship, on: true });
    set(world, one, Everything, { at: undefined });
    set(world, one, Damage(ship), { amount: 1 });
    set(world, one, Mesh, { name: "box" });

    expect(get(world, one, Position)).toEqual({ x: 0, y: 1 });
  });

  it("refuse fields that are not there", () => {
    // @ts-expect-error no such field
    never(() => set(world, one, Position, { z: 1 }));
    // @ts-expect-error no such field
    never(() => Position({ z: 1 }));
    // @ts-expect-error no such field
    never(() => Damage(ship, { much: 1 }));
  });

  it("refuse values of another kind", () => {
    // @ts-expect-error a number field
    never(() => set(world, one, Position, { x: "1" }));
    // @ts-expect-error a list field
    never(() => set(world, one, Everything, { cells: 1 }));
    // @ts-expect-error a bool field
    never(() => set(world, one, Everything, { on: 1 }));
    // @ts-expect-error a plain number is no entity
    never(() => set(world, one, Everything, { at: 5 }));
    // @ts-expect-error an object component of another type
    never(() => set(world, one, Mesh, "box"));
    // @ts-expect-error an object component needs its value
    never(() => Mesh());
    // @ts-expect-error undefined is not a number, and not given is not undefined
    never(() => set(world, one, Position, { x: undefined }));
  });

  it("refuse defaults that a value field could not keep apart from others", () => {
    // @ts-expect-error a field that can be undefined starts as undefined
    never(() => value<string | undefined>("d"));
    // @ts-expect-error a field with a text as its default accepts only texts
    never(() => value<string | number>("d"));

    expect(
      component("Style", { font: value<"serif" | "sans">("sans"), size: value<string | number>(12) }).fields,
    ).toHaveLength(2);
    expect([value<string | null>(null).initial, value<undefined | number>(undefined).initial]).toEqual([
      null,
      undefined,
    ]);
  });

  it("refuse values for what has none", () => {
    // @ts-expect-error a tag has no value
    never(() => set(world, one, Frozen, {}));
    // @ts-expect-error nor has a bare pair
    never(() => set(world, one, Likes(ship), { amount: 1 }));
    // @ts-expect-error a bare relation takes no values
    never(() => Likes(ship, { amount: 1 }));
    // @ts-expect-error a tag is no component with a value
    never(() => get(world, one, Frozen));
    // @ts-expect-error a wildcard has no value
    never(() => get(world, one, Damage(Any)));
  });

  it("need a whole row to read into", () => {
    // @ts-expect-error y is missing
    never(() => read(world, one, Position, { x: 0 }));
  });
});

describe("the types of terms", () => {
  it("take components, tags, values and pairs", () => {
    expectTypeOf<typeof Position>().toExtend<SpawnTerm>();
    expectTypeOf<typeof Mesh>().not.toExtend<SpawnTerm>();
    expectTypeOf<typeof Title>().toExtend<SpawnTerm>();
    expectTypeOf<Tag>().toExtend<SpawnTerm>();
    expectTypeOf(Position({ x: 1 })).toExtend<SpawnTerm>();
    expectTypeOf(ChildOf(ship)).toExtend<SpawnTerm>();
    expectTypeOf(Damage(ship, { amount: 1 })).toExtend<SpawnTerm>();
  });

  it("distinguish pairs from wildcards", () => {
    expectTypeOf(Likes(ship)).toEqualTypeOf<Pair>();
    expectTypeOf(Likes(Any)).toEqualTypeOf<AnyPair>();
    expectTypeOf(Damage(Any)).toEqualTypeOf<AnyPair>();
    expectTypeOf(ChildOf).toEqualTypeOf<Relation>();
  });

  it("refuse wildcards, relations without target and plain numbers", () => {
    // @ts-expect-error a wildcard is for queries
    never(() => spawn(world, ChildOf(Any)));
    // @ts-expect-error nor can it be added
    never(() => add(world, one, Likes(Any)));
    // @ts-expect-error a relation needs a target
    never(() => spawn(world, Likes));
    // @ts-expect-error a relation needs a target, also in remove
    never(() => remove(world, one, Likes));
    // @ts-expect-error a number is not a term
    never(() => spawn(world, 5));
    // @ts-expect-error nor is a wildcard of any relation
    never(() => add(world, one, Any(ship)));
    // @ts-expect-error nor the wildcard itself
    never(() => spawn(world, Any));
  });

  it("accept entities as tags, and wildcards of any relation, where terms are patterns", () => {
    never(() => add(world, one, asTag(ship)));
    never(() => spawn(world, asTag(ship), Position({ x: 1 })));
    expectTypeOf(Any(ship)).toEqualTypeOf<AnyPair>();
    expectTypeOf(Any(Any)).toEqualTypeOf<AnyPair>();
    for (const what of [
      asTag(ship),
      Any(ship),
      Any(Any),
      Likes(Any),
      Position,
      Frozen,
      Likes(ship),
    ] as const) {
      expectTypeOf(what).toExtend<TermPattern>();
    }
    // @ts-expect-error a relation needs a target, also in a pattern
    never(() => has(world, one, Likes));
    // @ts-expect-error a value belongs to one pair
    never(() => get(world, one, Damage(Any)));
  });

  it("of a clone, of the entity of a definition, and of targets", () => {
    expectTypeOf(clone).toEqualTypeOf<(world: World, entity: Entity, options?: CloneOptions) => Entity>();
    never(() => clone(world, one, { deep: true, with: [Position({ x: 1 }), ChildOf(ship), asTag(ship)] }));
    // @ts-expect-error a wildcard cannot be added to a clone
    never(() => clone(world, one, { with: [Likes(Any)] }));
    expectTypeOf(entityOf(world, Likes)).toEqualTypeOf<Entity>();
    expectTypeOf(definitionAt(world, one)).toEqualTypeOf<Definition | undefined>();
    expectTypeOf(targetsOf(world, one, Likes)).toEqualTypeOf<Entity[]>();
    expectTypeOf(subjectsOf(world, one, Damage)).toEqualTypeOf<Entity[]>();
    expectTypeOf(defer(world, () => 5)).toEqualTypeOf<number>();
    expectTypeOf(withPolicy(tag("Held"), { onDestroy: "refuse" })).toEqualTypeOf<Tag>();
    const In = withDisabledTree(relation("In", { traversable: true }));
    expectTypeOf(In).toEqualTypeOf<Relation>();
    // @ts-expect-error a tag is not a relation
    never(() => withDisabledTree(tag("Held")));
  });

  it("refuse plain numbers as entities and targets", () => {
    // @ts-expect-error a number is not a handle
    never(() => get(world, 5, Position));
    // @ts-expect-error a number is not a target
    never(() => ChildOf(5));
  });
});

describe("the types of events", () => {
  const Hit = event<{ amount: number }>("Hit");
  const Ping = event("Ping");
  const Said = event<string | undefined>("Said");

  it("give the callback of one event its value", () => {
    never(() =>
      observe(world, { emitted: Hit }, (event) => {
        expectTypeOf(event).toEqualTypeOf<EmittedEvent<{ amount: number }>>();
        expectTypeOf(event.value).toEqualTypeOf<{ amount: number }>();
        expectTypeOf(event.entity).toEqualTypeOf<Entity>();
      }),
    );
    never(() =>
      observe(world, { emitted: Ping }, ({ value }) => expectTypeOf(value).toEqualTypeOf<undefined>()),
    );
  });

  it("leave open what any event carries", () => {
    never(() =>
      observe(world, { emitted: Any }, ({ value }) => expectTypeOf(value).toEqualTypeOf<unknown>()),
    );
  });

  it("distinguish change events from custom events by their kind", () => {
    never(() =>
      observe(world, { added: Frozen }, (event) => expectTypeOf(event).toEqualTypeOf<WorldEvent>()),
    );
    never(() =>
      observe(world, { added: Frozen, emitted: Hit }, (event) => {
        expectTypeOf(event).toEqualTypeOf<WorldEvent | EmittedEvent>();
        if (event.kind === "emitted") expectTypeOf(event).toEqualTypeOf<EmittedEvent>();
        else expectTypeOf(event).toEqualTypeOf<WorldEvent>();
      }),
    );
  });

  it("distinguish spawns and destructions from the others by their kind", () => {
    never(() =>
      observe(world, { spawned: true, destroyed: true }, (event) =>
        expectTypeOf(event).toEqualTypeOf<LifeEvent>(),
      ),
    );
    never(() =>
      observe(world, { added: Frozen, destroyed: true, emitted: Hit }, (event) => {
        expectTypeOf(event).toEqualTypeOf<WorldEvent | EmittedEvent | LifeEvent>();
        if (event.kind === "destroyed" || event.kind === "spawned")
          expectTypeOf(event).toEqualTypeOf<LifeEvent>();
        else if (event.kind === "emitted") expectTypeOf(event).toEqualTypeOf<EmittedEvent>();
        else expectTypeOf(event).toEqualTypeOf<WorldEvent>();
      }),
    );
    never(() =>
      observeEntity(world, ship, { set: Position }, (event) =>
        expectTypeOf(event).toEqualTypeOf<WorldEvent>(),
      ),
    );
    never(() =>
      observeEntity(world, ship, { added: Any, destroyed: true }, (event) => {
        if (event.kind === "destroyed") expectTypeOf(event).toEqualTypeOf<DestroyedEvent>();
      }),
    );
    never(() => observeRoots(world, (event) => expectTypeOf(event).toEqualTypeOf<RootEvent>()));
    never(() => observeChildren(world, ship, (event) => expectTypeOf(event).toEqualTypeOf<WorldEvent>()));
    // @ts-expect-error to observe nothing, leave it out
    never(() => observe(world, { spawned: false }, () => undefined));
  });

  it("require the value of an event, unless it may be undefined", () => {
    never(() => emit(world, one, Hit, { amount: 1 }));
    never(() => emit(world, one, Ping));
    never(() => emit(world, one, Said));
    never(() => emit(world, one, Said, "hello"));
    // @ts-expect-error the value is missing
    never(() => emit(world, one, Hit));
    // @ts-expect-error it has no such form
    never(() => emit(world, one, Hit, { amount: "much" }));
    // @ts-expect-error it has a value of another kind
    never(() => emit(world, one, Said, 5));
    // @ts-expect-error it has no value
    never(() => emit(world, one, Ping, 5));
    // @ts-expect-error a tag is not an event
    never(() => emit(world, one, Frozen));
    // @ts-expect-error entities cannot have an event
    never(() => observe(world, { added: Hit }, () => undefined));
    // @ts-expect-error nor is it a term
    never(() => add(world, one, Hit));
  });
});

describe("the types of fields", () => {
  it("follow from kinds and from defaults", () => {
    type Style = { readonly font: string } | undefined;
    expectTypeOf(get(world, one, Text)).toEqualTypeOf<
      { value: string; size: number; bold: boolean; at: number; style: Style } | undefined
    >();
    expectTypeOf(locate(world, one, Text)).toEqualTypeOf<
      | Location<{
          readonly value: string[];
          readonly size: Float32Array;
          readonly bold: Uint8Array;
          readonly at: Float64Array;
          readonly style: Style[];
        }>
      | undefined
    >();
    expectTypeOf(get(world, one, Title)).toEqualTypeOf<string | undefined>();
    Text({ value: "a", bold: true });
    Title();
    // @ts-expect-error a string
    never(() => Text({ value: 1 }));
    // @ts-expect-error a component without a default is called with its value
    never(() => Mesh());
    // @ts-expect-error and not spawned alone
    never(() => spawn(world, Mesh));
  });
});

describe("the types of definitions", () => {
  it("refuse unknown kinds, and lists of kinds that have none", () => {
    // @ts-expect-error a list is not a field
    never(() => component("Bad", { x: ["f32"] }));
    // @ts-expect-error the default of a number kind is a number
    never(() => component("Bad", { x: f32("1") }));
    // @ts-expect-error there are no lists of bools
    never(() => array(bool, 3));
    // @ts-expect-error there are no lists of entities
    never(() => array(entity, 3));
    // @ts-expect-error there are no lists of lists
    never(() => array(array(f32, 2), 3));
    // @ts-expect-error no such policy
    never(() => relation("Bad", { onTargetDestroy: "explode" }));
  });

  it("give hooks the row and keep the definition's own type", () => {
    const Hooked = withHooks(component<string>("Hooked"), {
      check: (_world, _entity, value, parent) => {
        expectTypeOf(value).toEqualTypeOf<string>();
        expectTypeOf(parent).toEqualTypeOf<Entity | undefined>();
      },
      written: (self, other) => {
        expectTypeOf(self).toEqualTypeOf<World>();
        expectTypeOf(other).toEqualTypeOf<Entity>();
      },
    });

    expectTypeOf(Hooked).toEqualTypeOf<ObjectComponent<string>>();
    expectTypeOf(get(world, one, Hooked)).toEqualTypeOf<string | undefined>();
  });

  it("let hooks return values of their component, or nothing", () => {
    never(() =>
      withHooks(component<string>("Hooked"), {
        check: (_world, _entity, value) => (value === "" ? "invalid" : undefined),
        checkMoves: (_world, moves) => {
          expectTypeOf(moves[0]!.entity).toEqualTypeOf<Entity | undefined>();
          return moves.map(({ value }, at) => (at === 0 ? undefined : value));
        },
        identifies: "world",
      }),
    );
    // @ts-expect-error the result is not a text
    never(() => withHooks(component<string>("Hooked"), { check: () => 5 }));
    // @ts-expect-error a list of results, not one
    never(() => withHooks(component<string>("Hooked"), { checkMoves: () => "invalid" }));
    // @ts-expect-error the scope of `identifies` is required
    never(() => withHooks(component<string>("Hooked"), { identifies: true }));
  });

  it("list the codes of refusals", () => {
    expectTypeOf(new TreelineError("cycle", "").code).toEqualTypeOf<TreelineErrorCode>();
    // @ts-expect-error no such code
    never(() => new TreelineError("no-such-code", ""));
  });
});
