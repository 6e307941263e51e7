import type { Entity, World } from "@treeline/core";
import {
  Any,
  add,
  ChildOf,
  component,
  createWorld,
  get,
  i32,
  pack,
  remove,
  set,
  spawn,
  tag,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { Name } from "@treeline/names";
import { cascade, descendants, destroy, each, eachBatch, not, query, roots } from "@treeline/query";
import { describe, expect, it } from "vitest";
import { at, plantInto } from "./plant.ts";

/** The number of the entity, to identify the source whose value a child receives. */
const Marker = component("Marker", { value: i32 });
const Excluded = tag("Excluded");

/** A world with a long-lived cascade query; every drawn entity has a Marker with its line number. */
function createMarked(drawn: string): { world: World; rows: () => string[] } {
  const world = createWorld();
  const seen = query(world, Name, Marker, not(Excluded), cascade(Marker));
  plantInto(world, drawn);
  const all = roots(world).flatMap((root) => [root, ...descendants(world, root)]);
  all.forEach((entity, line) => {
    set(world, entity, Marker, { value: line + 1 });
  });

  /** "Name<Source" per row; `each` and `eachBatch` must agree. */
  function rows(): string[] {
    const found: string[] = [];
    each(seen, (name, marker, above) => {
      found.push(above === undefined ? name : `${name}<${nameOfMarker(world, above.value)}`);
      expect(nameOfMarker(world, marker.value)).toBe(name);
    });
    const batched: string[] = [];
    eachBatch(seen, (batch) => {
      const above = batch.hasParents ? batch.parentColumns(Marker).value : undefined;
      for (let place = batch.from; place < batch.to; place++) {
        const name = nameOf(world, batch.entityAt(batch.rows[place]!));
        const source = above === undefined ? "" : `<${nameOfMarker(world, above[batch.parentRows[place]!]!)}`;
        batched.push(`${name}${source}`);
      }
    });
    expect(batched.toSorted()).toEqual(found.toSorted());
    expectParentsFirst(world, found);
    expectParentsFirst(world, batched);
    expect(verify(world)).toEqual([]);
    return found;
  }

  return { world, rows };
}

function nameOf(world: World, entity: Entity): string {
  return get(world, entity, Name) ?? "?";
}

function nameOfMarker(world: World, value: number): string {
  const all = roots(world).flatMap((root) => [root, ...descendants(world, root)]);
  const source = all.find((entity) => get(world, entity, Marker)?.value === value);
  return source === undefined ? `no entity with ${value}` : nameOf(world, source);
}

function expectParentsFirst(world: World, found: readonly string[]): void {
  const names = found.map((row) => row.split("<")[0]!);
  for (const entity of roots(world)) {
    const tree = [entity, ...descendants(world, entity)];
    for (const ancestor of tree) {
      const position = names.indexOf(nameOf(world, ancestor));
      for (const below of descendants(world, ancestor)) {
        const later = names.indexOf(nameOf(world, below));
        if (position >= 0 && later >= 0)
          expect(position, `${nameOf(world, below)} after its ancestor`).toBeLessThan(later);
      }
    }
  }
}

/** The rows, sorted for comparisons without order. */
function sorted(rows: readonly string[]): string[] {
  return rows.toSorted();
}

describe("cascade", () => {
  it("iterates parents before children, whatever the order of spawning (I12)", () => {
    const { world, rows } = createMarked(`
      Station
        Ship
          Cockpit
      Buoy
    `);

    add(world, at(world, "Station"), ChildOf(at(world, "Buoy")));

    expect(rows()).toEqual(["Buoy", "Station<Buoy", "Ship<Station", "Cockpit<Ship"]);
  });

  it("follows when a tree is moved below another: 1 <- 2 <- 3, 4 <- 5, then 4 under 3 (I12)", () => {
    const { world, rows } = createMarked(`
      1
        2
          3
      4
        5
    `);
    expect(sorted(rows())).toEqual(["1", "2<1", "3<2", "4", "5<4"]);

    add(world, at(world, "4"), ChildOf(at(world, "1::2::3")));

    expect(rows()).toEqual(["1", "2<1", "3<2", "4<3", "5<4"]);
  });

  it("follows when a chain is reversed link by link", () => {
    const { world, rows } = createMarked(`
      1
        2
          3
    `);
    rows();
    const [first, second, third] = [at(world, "1"), at(world, "1::2"), at(world, "1::2::3")];

    remove(world, third, ChildOf(Any));
    add(world, first, ChildOf(third));
    expect(rows()).toEqual(["3", "1<3", "2<1"]);

    add(world, second, ChildOf(third));
    add(world, first, ChildOf(second));
    expect(rows()).toEqual(["3", "2<3", "1<2"]);
  });

  it("skips ancestors without the component up to the nearest one that has it", () => {
    const { world, rows } = createMarked(`
      1
        2
          3
            4
              5
    `);
    remove(world, at(world, "1::2"), Marker);
    remove(world, at(world, "1::2::3"), Marker);
    expect(rows()).toEqual(["1", "4<1", "5<4"]);

    remove(world, at(world, "1"), Marker);
    expect(rows()).toEqual(["4", "5<4"]);

    set(world, at(world, "1::2::3"), Marker, { value: 33 });
    expect(rows()).toEqual(["3", "4<3", "5<4"]);
  });

  it("passes the ancestor's value even when the query excludes that ancestor", () => {
    const { world, rows } = createMarked(`
      1
        2
          3
    `);
    rows();

    add(world, at(world, "1::2"), Excluded);

    expect(rows()).toEqual(["1", "3<2"]);
  });

  it("follows reparents of inner nodes between iterations, up and down the tree", () => {
    const { world, rows } = createMarked(`
      1
        2
          3
            4
      5
        6
          7
            8
    `);
    rows();
    const inner = at(world, "1::2::3");

    add(world, inner, ChildOf(at(world, "5::6::7::8")));
    expect(sorted(rows())).toEqual(["1", "2<1", "3<8", "4<3", "5", "6<5", "7<6", "8<7"]);

    add(world, inner, ChildOf(at(world, "5")));
    expect(sorted(rows())).toEqual(["1", "2<1", "3<5", "4<3", "5", "6<5", "7<6", "8<7"]);

    remove(world, inner, ChildOf(Any));
    expect(sorted(rows())).toEqual(["1", "2<1", "3", "4<3", "5", "6<5", "7<6", "8<7"]);

    add(world, at(world, "1"), ChildOf(at(world, "3::4")));
    expect(sorted(rows())).toEqual(["1<4", "2<1", "3", "4<3", "5", "6<5", "7<6", "8<7"]);
  });

  it("follows siblings that leave gaps in their parent's rows", () => {
    const { world, rows } = createMarked(`
      1
        2
          6
        3
          7
        4
          8
        5
          9
    `);
    rows();

    add(world, at(world, "1::2"), ChildOf(at(world, "1::5::9")));

    expect(sorted(rows())).toEqual(["1", "2<9", "3<1", "4<1", "5<1", "6<2", "7<3", "8<4", "9<5"]);
    destroy(world, at(world, "1::3"));
    expect(sorted(rows())).toEqual(["1", "2<9", "4<1", "5<1", "6<2", "8<4", "9<5"]);
  });

  it("follows destroyed subtrees, spawned entities in their rows and reused handles", () => {
    const { world, rows } = createMarked(`
      1
        2
          3
      4
        5
    `);
    rows();

    destroy(world, at(world, "1::2"));
    expect(sorted(rows())).toEqual(["1", "4", "5<4"]);

    const spawned = spawn(world, Name("2"), Marker({ value: 22 }), ChildOf(at(world, "4::5")));
    spawn(world, Name("3"), Marker({ value: 33 }), ChildOf(spawned));
    expect(rows()).toEqual(["1", "4", "5<4", "2<5", "3<2"]);

    destroy(world, at(world, "4"));
    destroy(world, at(world, "1"));
    expect(rows()).toEqual([]);
  });

  it("is the same after a pack, between changes and twice in a row", () => {
    const { world, rows } = createMarked(`
      1
        2
          3
        4
          5
      6
        7
    `);
    const before = sorted(rows());

    pack(world);
    expect(sorted(rows())).toEqual(before);

    add(world, at(world, "6"), ChildOf(at(world, "1::2::3")));
    pack(world);
    expect(sorted(rows())).toEqual(["1", "2<1", "3<2", "4<1", "5<4", "6<3", "7<6"]);

    destroy(world, at(world, "1::4"));
    pack(world);
    pack(world);
    expect(sorted(rows())).toEqual(["1", "2<1", "3<2", "6<3", "7<6"]);
  });

  it("carries values down in one iteration when each child adds its parent's", () => {
    const world = createWorld();
    const chain: Entity[] = [];
    for (let at = 0; at < 300; at++) {
      const parent = chain.at(-1);
      chain.push(
        parent === undefined
          ? spawn(world, Marker({ value: 1 }))
          : spawn(world, Marker({ value: 1 }), ChildOf(parent)),
      );
    }

    each(query(world, Marker, cascade(Marker)), (marker, above) => {
      if (above !== undefined) marker.value += above.value;
    });

    expect(chain.map((entity) => get(world, entity, Marker)?.value)).toEqual(chain.map((_, at) => at + 1));
  });

  it("keeps its order through 300 moves in a forest of 600", () => {
    const world = createWorld();
    const seen = query(world, Marker, cascade(Marker));
    const all: Entity[] = [];
    for (let at = 0; at < 600; at++) {
      const terms = [Marker({ value: at })] as const;
      all.push(
        at % 7 === 0 ? spawn(world, ...terms) : spawn(world, ...terms, ChildOf(all[(at * 31 + 7) % at]!)),
      );
    }

    for (let move = 0; move < 300; move++) {
      const mover = all[(move * 97 + 13) % 600]!;
      const target = all[(move * 61 + 5) % 600]!;
      if (target !== mover && !descendants(world, mover).includes(target)) add(world, mover, ChildOf(target));
      const matched = new Set<Entity>();
      let isOrdered = true;
      each(seen, (_, above, entity) => {
        if (above !== undefined && !matched.has(all[above.value]!)) isOrdered = false;
        matched.add(entity);
      });
      expect(isOrdered).toBe(true);
      expect(matched.size).toBe(600);
    }
  });

  it("is right after more changes between two iterations than are recorded one by one", () => {
    const { world, rows } = createMarked(`
      1
        2
          3
            4
      5
        6
    `);
    const before = rows();
    const [moved, home, away] = [at(world, "1::2::3"), at(world, "1::2"), at(world, "5::6")];

    for (let move = 0; move < 50_000; move++) {
      add(world, moved, ChildOf(away));
      add(world, moved, ChildOf(home));
    }
    expect(sorted(rows())).toEqual(sorted(before));

    add(world, moved, ChildOf(away));
    expect(sorted(rows())).toEqual(["1", "2<1", "3<6", "4<3", "5", "6<5"]);
  });
});
