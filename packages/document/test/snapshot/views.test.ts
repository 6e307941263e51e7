import {
  add,
  ChildOf,
  component,
  Disabled,
  type Entity,
  f32,
  get,
  has,
  isAlive,
  remove,
  set,
  spawn,
  type World,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { added, changed, destroy, dispose, entities, type Query, query, up } from "@treeline/query";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { asView, restore, snapshot } from "../../src/snapshot.ts";
import { codeOf, Position, smallWorld, Target } from "../small-world.ts";

const Speed = component("Speed", { by: f32 });

let world: World;
let ship: Entity;
let gun: Entity;
beforeEach(() => {
  ({ world, ship, gun } = smallWorld());
});

function readView(...terms: Parameters<typeof query> extends [World, ...infer Terms] ? Terms : never): Query {
  const view = asView(query(world, ...terms));
  entities(view);
  return view;
}

describe("a view after a restore", () => {
  it("matches the rows that were written since the snapshot, once, and other queries do not", () => {
    const [view, other] = [readView(changed(Position)), query(world, changed(Position))];
    entities(other);
    const taken = snapshot(world);
    set(world, gun, Position, { x: 9 });
    entities(view);
    entities(other);

    restore(world, taken);

    expect([entities(view), entities(view), entities(other)]).toEqual([[gun], [], []]);
    set(world, ship, Position, { x: 8 });
    expect([entities(view), entities(other)]).toEqual([[ship], [ship]]);
  });

  it("matches entities that were destroyed since, and those that had lost the component", () => {
    const view = readView(changed(Position));
    const [lost, still] = [spawn(world, Position), spawn(world, Position)];
    entities(view);
    const taken = snapshot(world);
    remove(world, lost, Position);
    destroy(world, gun);
    const gone = spawn(world, Position);
    entities(view);

    restore(world, taken);

    expect([new Set(entities(view)), isAlive(world, gone)]).toEqual([new Set([gun, lost]), false]);
    expect(entities(query(world, Position))).toContain(still);
  });

  it("matches what it had not read at the snapshot, and what an earlier restore has left unread", () => {
    const view = readView(changed(Position));
    const first = snapshot(world);
    set(world, ship, Position, { x: 5 });
    const second = snapshot(world);
    set(world, gun, Position, { x: 6 });
    entities(view);

    restore(world, second);
    restore(world, first);

    expect(new Set(entities(view))).toEqual(new Set([ship, gun]));
  });

  it("matches sparse values", () => {
    add(world, ship, Target({ x: 1 }));
    const view = readView(changed(Target));
    const taken = snapshot(world);
    set(world, ship, Target, { x: 2 });
    entities(view);

    restore(world, taken);

    expect([entities(view), entities(view)]).toEqual([[ship], []]);
  });

  it("keeps disabled entities unread until they are enabled", () => {
    const view = readView(changed(Position));
    const taken = snapshot(world);
    set(world, gun, Position, { x: 9 });
    entities(view);
    restore(world, taken);
    add(world, gun, Disabled);

    expect(entities(view)).toEqual([]);
    remove(world, gun, Disabled);
    expect(entities(view)).toEqual([gun]);
  });

  it("matches all with a source above if it matches changes above", () => {
    add(world, ship, Speed);
    const view = readView(changed(up(Speed)));
    const taken = snapshot(world);

    restore(world, taken);

    expect([entities(view), entities(view)]).toEqual([[gun], []]);
  });

  it("refuses queries that match no changes, what was added or removed, or relations", () => {
    expect(codeOf(() => asView(query(world, Position)))).toBe("bad-query");
    expect(codeOf(() => asView(query(world, added(Position))))).toBe("bad-query");
    expect(codeOf(() => asView(query(world, changed(ChildOf))))).toBe("bad-query");
    expect(codeOf(() => asView({} as Query))).toBe("bad-query");
    const disposed = query(world, changed(Position));
    dispose(disposed);
    expect(codeOf(() => asView(disposed))).toBe("disposed");
  });

  it("leads, in any history, to a copy of the values that is right", () => {
    const steps = fc.array(
      fc.tuple(
        fc.constantFrom("set", "spawn", "destroy", "move", "take", "restore", "read"),
        fc.nat(20),
        fc.nat(9),
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, (history) => {
        ({ world, ship, gun } = smallWorld());
        const all = query(world, Position);
        const view = asView(query(world, Position, changed(Position)));
        const shown = new Map<Entity, number>();
        const taken = [snapshot(world)];
        const show = (): void => {
          for (const entity of entities(view)) shown.set(entity, get(world, entity, Position)!.x);
        };
        for (const [verb, which, x] of history) {
          const present = entities(all);
          const chosen = present[which % Math.max(1, present.length)];
          if (verb === "spawn") spawn(world, Position({ x }));
          else if (verb === "take") taken[which % 3] = snapshot(world);
          else if (verb === "restore") restore(world, taken[which % 3] ?? taken[0]!);
          else if (verb === "read") show();
          else if (chosen === undefined) continue;
          else if (verb === "set") set(world, chosen, Position, { x });
          else if (verb === "destroy") destroy(world, chosen);
          else if (has(world, chosen, Speed)) remove(world, chosen, Speed);
          else add(world, chosen, Speed);
        }
        show();
        const present = entities(all);
        expect(present.map((entity) => shown.get(entity))).toEqual(
          present.map((entity) => get(world, entity, Position)!.x),
        );
        expect(verify(world)).toEqual([]);
      }),
    );
  });
});
