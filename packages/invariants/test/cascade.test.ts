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
import { cascade, children, descendants, destroy, each, eachBatch, not, query } from "@treeline/query";
import { describe, expect, it } from "vitest";
import { at, plantInto } from "./plant.ts";

/** The number of its holder, so that one can see whose value a child was shown. */
const Mark = component("Mark", { value: i32 });
const DisabledFromAbove = tag("Hidden");

/** A world with a long-lived cascade query; every drawn entity has a Mark of its own number, counted by lines. */
function marked(drawn: string): { world: World; visits: () => string[] } {
  const world = createWorld();
  const seen = query(world, Name, Mark, not(DisabledFromAbove), cascade(Mark));
  plantInto(world, drawn);
  const all = children(world, undefined).flatMap((root) => [root, ...descendants(world, root)]);
  all.forEach((entity, line) => {
    set(world, entity, Mark, { value: line + 1 });
  });

  /** "Name<Holder" per visit; both ways of visiting must agree. */
  function visits(): string[] {
    const found: string[] = [];
    each(seen, (name, mark, above) => {
      found.push(above === undefined ? name : `${name}<${nameOfMark(world, above.value)}`);
      expect(nameOfMark(world, mark.value)).toBe(name);
    });
    const batched: string[] = [];
    eachBatch(seen, (batch) => {
      const above = batch.hasParents ? batch.parentColumns(Mark).value : undefined;
      for (let place = batch.from; place < batch.to; place++) {
        const name = nameOf(world, batch.entityAt(batch.rows[place]!));
        const holder = above === undefined ? "" : `<${nameOfMark(world, above[batch.parentRows[place]!]!)}`;
        batched.push(`${name}${holder}`);
      }
    });
    expect(batched.toSorted()).toEqual(found.toSorted());
    expectParentsFirst(world, found);
    expectParentsFirst(world, batched);
    expect(verify(world)).toEqual([]);
    return found;
  }

  return { world, visits };
}

function nameOf(world: World, entity: Entity): string {
  return get(world, entity, Name) ?? "?";
}

function nameOfMark(world: World, value: number): string {
  const all = children(world, undefined).flatMap((root) => [root, ...descendants(world, root)]);
  const holder = all.find((entity) => get(world, entity, Mark)?.value === value);
  return holder === undefined ? `nobody's ${value}` : nameOf(world, holder);
}

function expectParentsFirst(world: World, found: readonly string[]): void {
  const names = found.map((visit) => visit.split("<")[0]!);
  for (const entity of children(world, undefined)) {
    const line = [entity, ...descendants(world, entity)];
    for (const ancestor of line) {
      const turn = names.indexOf(nameOf(world, ancestor));
      for (const below of descendants(world, ancestor)) {
        const later = names.indexOf(nameOf(world, below));
        if (turn >= 0 && later >= 0)
          expect(turn, `${nameOf(world, below)} after its ancestor`).toBeLessThan(later);
      }
    }
  }
}

/** Whom each visited one was shown, whatever the order. */
function shown(visits: readonly string[]): string[] {
  return visits.toSorted();
}

describe("cascade", () => {
  it("visits parents before children, whatever the order of birth (L12)", () => {
    const { world, visits } = marked(`
      Station
        Ship
          Cockpit
      Buoy
    `);

    add(world, at(world, "Station"), ChildOf(at(world, "Buoy")));

    expect(visits()).toEqual(["Buoy", "Station<Buoy", "Ship<Station", "Cockpit<Ship"]);
  });

  it("follows when a tree is hung below another: 1 <- 2 <- 3, 4 <- 5, then 4 under 3 (L12)", () => {
    const { world, visits } = marked(`
      1
        2
          3
      4
        5
    `);
    expect(shown(visits())).toEqual(["1", "2<1", "3<2", "4", "5<4"]);

    add(world, at(world, "4"), ChildOf(at(world, "1::2::3")));

    expect(visits()).toEqual(["1", "2<1", "3<2", "4<3", "5<4"]);
  });

  it("follows when a chain is turned round link by link", () => {
    const { world, visits } = marked(`
      1
        2
          3
    `);
    visits();
    const [first, second, third] = [at(world, "1"), at(world, "1::2"), at(world, "1::2::3")];

    remove(world, third, ChildOf(Any));
    add(world, first, ChildOf(third));
    expect(visits()).toEqual(["3", "1<3", "2<1"]);

    add(world, second, ChildOf(third));
    add(world, first, ChildOf(second));
    expect(visits()).toEqual(["3", "2<3", "1<2"]);
  });

  it("looks past ancestors without the component to the nearest one that has it", () => {
    const { world, visits } = marked(`
      1
        2
          3
            4
              5
    `);
    remove(world, at(world, "1::2"), Mark);
    remove(world, at(world, "1::2::3"), Mark);
    expect(visits()).toEqual(["1", "4<1", "5<4"]);

    remove(world, at(world, "1"), Mark);
    expect(visits()).toEqual(["4", "5<4"]);

    set(world, at(world, "1::2::3"), Mark, { value: 33 });
    expect(visits()).toEqual(["3", "4<3", "5<4"]);
  });

  it("shows the ancestor's value even when the query leaves that ancestor out", () => {
    const { world, visits } = marked(`
      1
        2
          3
    `);
    visits();

    add(world, at(world, "1::2"), DisabledFromAbove);

    expect(visits()).toEqual(["1", "3<2"]);
  });

  it("follows reparents of inner nodes between visits, up and down the tree", () => {
    const { world, visits } = marked(`
      1
        2
          3
            4
      5
        6
          7
            8
    `);
    visits();
    const inner = at(world, "1::2::3");

    add(world, inner, ChildOf(at(world, "5::6::7::8")));
    expect(shown(visits())).toEqual(["1", "2<1", "3<8", "4<3", "5", "6<5", "7<6", "8<7"]);

    add(world, inner, ChildOf(at(world, "5")));
    expect(shown(visits())).toEqual(["1", "2<1", "3<5", "4<3", "5", "6<5", "7<6", "8<7"]);

    remove(world, inner, ChildOf(Any));
    expect(shown(visits())).toEqual(["1", "2<1", "3", "4<3", "5", "6<5", "7<6", "8<7"]);

    add(world, at(world, "1"), ChildOf(at(world, "3::4")));
    expect(shown(visits())).toEqual(["1<4", "2<1", "3", "4<3", "5", "6<5", "7<6", "8<7"]);
  });

  it("follows siblings that leave holes in their parent's rows", () => {
    const { world, visits } = marked(`
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
    visits();

    add(world, at(world, "1::2"), ChildOf(at(world, "1::5::9")));

    expect(shown(visits())).toEqual(["1", "2<9", "3<1", "4<1", "5<1", "6<2", "7<3", "8<4", "9<5"]);
    destroy(world, at(world, "1::3"));
    expect(shown(visits())).toEqual(["1", "2<9", "4<1", "5<1", "6<2", "8<4", "9<5"]);
  });

  it("follows destroyed subtrees, newcomers in their rows and handles used again", () => {
    const { world, visits } = marked(`
      1
        2
          3
      4
        5
    `);
    visits();

    destroy(world, at(world, "1::2"));
    expect(shown(visits())).toEqual(["1", "4", "5<4"]);

    const newcomer = spawn(world, Name("2"), Mark({ value: 22 }), ChildOf(at(world, "4::5")));
    spawn(world, Name("3"), Mark({ value: 33 }), ChildOf(newcomer));
    expect(visits()).toEqual(["1", "4", "5<4", "2<5", "3<2"]);

    destroy(world, at(world, "4"));
    destroy(world, at(world, "1"));
    expect(visits()).toEqual([]);
  });

  it("is the same after a pack, in between and again", () => {
    const { world, visits } = marked(`
      1
        2
          3
        4
          5
      6
        7
    `);
    const before = shown(visits());

    pack(world);
    expect(shown(visits())).toEqual(before);

    add(world, at(world, "6"), ChildOf(at(world, "1::2::3")));
    pack(world);
    expect(shown(visits())).toEqual(["1", "2<1", "3<2", "4<1", "5<4", "6<3", "7<6"]);

    destroy(world, at(world, "1::4"));
    pack(world);
    pack(world);
    expect(shown(visits())).toEqual(["1", "2<1", "3<2", "6<3", "7<6"]);
  });

  it("carries values down in one visit when each child adds its parent's", () => {
    const world = createWorld();
    const chain: Entity[] = [];
    for (let at = 0; at < 300; at++) {
      const parent = chain.at(-1);
      chain.push(
        parent === undefined
          ? spawn(world, Mark({ value: 1 }))
          : spawn(world, Mark({ value: 1 }), ChildOf(parent)),
      );
    }

    each(query(world, Mark, cascade(Mark)), (mark, above) => {
      if (above !== undefined) mark.value += above.value;
    });

    expect(chain.map((entity) => get(world, entity, Mark)?.value)).toEqual(chain.map((_, at) => at + 1));
  });

  it("keeps its order through 300 moves in a forest of 600", { timeout: 30_000 }, () => {
    const world = createWorld();
    const seen = query(world, Mark, cascade(Mark));
    const all: Entity[] = [];
    for (let at = 0; at < 600; at++) {
      const terms = [Mark({ value: at })] as const;
      all.push(
        at % 7 === 0 ? spawn(world, ...terms) : spawn(world, ...terms, ChildOf(all[(at * 31 + 7) % at]!)),
      );
    }

    for (let move = 0; move < 300; move++) {
      const mover = all[(move * 97 + 13) % 600]!;
      const target = all[(move * 61 + 5) % 600]!;
      if (target !== mover && !descendants(world, mover).includes(target)) add(world, mover, ChildOf(target));
      const came = new Set<Entity>();
      let isOrdered = true;
      each(seen, (_, above, entity) => {
        if (above !== undefined && !came.has(all[above.value]!)) isOrdered = false;
        came.add(entity);
      });
      expect(isOrdered).toBe(true);
      expect(came.size).toBe(600);
    }
  });

  it("is right after more changes between two visits than are kept one by one", { timeout: 30_000 }, () => {
    const { world, visits } = marked(`
      1
        2
          3
            4
      5
        6
    `);
    const before = visits();
    const [moved, home, away] = [at(world, "1::2::3"), at(world, "1::2"), at(world, "5::6")];

    for (let move = 0; move < 50_000; move++) {
      add(world, moved, ChildOf(away));
      add(world, moved, ChildOf(home));
    }
    expect(shown(visits())).toEqual(shown(before));

    add(world, moved, ChildOf(away));
    expect(shown(visits())).toEqual(["1", "2<1", "3<6", "4<3", "5", "6<5"]);
  });
});
