import { Any, add, type Entity, Parent, relation, remove, spawn, spawnMany } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import {
  added,
  changed,
  count,
  destroy,
  detachChildren,
  dispose,
  entities,
  moveAfter,
  or,
  page,
  query,
  removed,
  replaceChildren,
} from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Docked, DockedTo, Frozen, Needs, Position, Tag } from "../definitions.ts";
import { sorted } from "../matches.ts";
import { ChildOf } from "../public/builtins.ts";
import { setWorld, verifyWorld, world } from "../test-world.ts";

let ship: Entity;
let station: Entity;

beforeEach(() => {
  setWorld();
  [ship, station] = [spawn(world), spawn(world)];
});

/** A query for changes that has read all so far. */
function readUpToNow(...terms: Parameters<typeof query> extends [unknown, ...infer Terms] ? Terms : never) {
  const tested = query(world, ...terms);
  entities(tested);
  return tested;
}

describe.each([ChildOf, Parent])("changed(ChildOf), with parents stored by %o", (storage) => {
  it("matches all that have a parent at first, and then nothing", () => {
    const child = spawn(world, storage(ship));
    const tested = query(world, changed(ChildOf));

    expect(entities(tested)).toEqual([child]);
    expect(entities(tested)).toEqual([]);
  });

  it("matches what was attached, reparented, detached and spawned below a parent", () => {
    const [attached, moved, detached, still] = [
      spawn(world),
      spawn(world, storage(ship)),
      spawn(world, storage(ship)),
      spawn(world, storage(ship)),
    ];
    const tested = readUpToNow(changed(ChildOf));

    add(world, attached, storage(ship));
    add(world, moved, storage(station));
    remove(world, detached, ChildOf(Any));
    const spawned = spawn(world, storage(station), Tag);
    const many = spawnMany(world, 3, storage(station));
    spawn(world);

    expect(sorted(entities(tested))).toEqual([attached, moved, detached, spawned, ...many]);
    expect(entities(tested)).toEqual([]);
    expect(entities(readUpToNow(changed(ChildOf), Position))).not.toContain(still);
    verifyWorld();
  });

  it("matches what has its former parent again, and not what got the parent that it has", () => {
    const [back, same] = [spawn(world, storage(ship)), spawn(world, storage(ship))];
    const tested = readUpToNow(changed(ChildOf));

    add(world, back, storage(station));
    add(world, back, storage(ship));
    add(world, same, storage(ship));

    expect(entities(tested)).toEqual([back]);
  });

  it("matches children of a parent that were replaced or made roots, and not those that were reordered", () => {
    const children = [0, 1, 2].map(() => spawn(world, storage(ship)));
    const tested = readUpToNow(changed(ChildOf));

    moveAfter(world, children[0]!, children[2]!);
    expect(entities(tested)).toEqual([]);
    replaceChildren(world, ship, [children[2]!, station]);
    expect(sorted(entities(tested))).toEqual(sorted([children[0]!, children[1]!, station]));
    detachChildren(world, ship);
    expect(sorted(entities(tested))).toEqual(sorted([children[2]!, station]));
  });

  it("keeps what changed while rows move to other tables", () => {
    const children = [0, 1, 2, 3].map(() => spawn(world, storage(ship)));
    const tested = readUpToNow(changed(ChildOf));

    add(world, children[1]!, storage(station));
    for (const child of children) add(world, child, Tag);
    remove(world, children[0]!, Tag);

    expect(entities(tested)).toEqual([children[1]]);
    verifyWorld();
  });
});

describe("changes of targets", () => {
  it("do not count a change of storage alone", () => {
    const child = spawn(world, ChildOf(ship));
    const tested = readUpToNow(changed(ChildOf));

    add(world, child, Parent(ship));
    expect(entities(tested)).toEqual([]);
    add(world, child, ChildOf(station));
    expect(entities(tested)).toEqual([child]);
  });

  it("tell former roots by added, and new roots by removed", () => {
    const [child, moved] = [spawn(world, Parent(ship)), spawn(world, ChildOf(ship))];
    const [gained, lost] = [readUpToNow(added(ChildOf)), readUpToNow(removed(ChildOf))];

    remove(world, child, ChildOf(Any));
    add(world, moved, ChildOf(station));
    add(world, station, ChildOf(ship));

    expect(entities(gained)).toEqual([station]);
    expect(entities(lost)).toEqual([child]);
  });

  it("are those of any exclusive relation, and of no other", () => {
    const [one, other] = [spawn(world, Docked(ship)), spawn(world, DockedTo(ship), Docked(ship))];
    const docked = readUpToNow(changed(Docked));
    const dockedTo = readUpToNow(changed(DockedTo));

    add(world, one, Docked(station));
    add(world, other, Tag);
    add(world, other, DockedTo(station));

    expect(entities(docked)).toEqual([one]);
    expect(entities(dockedTo)).toEqual([other]);
    remove(world, other, DockedTo(Any));
    expect(entities(dockedTo)).toEqual([other]);
    verifyWorld();
  });

  it("stay unread for parts and counts", () => {
    const child = spawn(world, ChildOf(ship));
    const tested = readUpToNow(changed(ChildOf));
    add(world, child, ChildOf(station));

    expect([count(tested), entities(page(tested, 0, 5))]).toEqual([1, [child]]);
    expect(entities(tested)).toEqual([child]);
  });

  it("inside or match with other changes, each entity once", () => {
    const [child, frozen] = [spawn(world, ChildOf(ship)), spawn(world, Parent(ship))];
    const tested = readUpToNow(or(changed(ChildOf), added(Frozen)));

    add(world, child, ChildOf(station));
    add(world, child, Frozen);
    add(world, frozen, Frozen);

    expect(sorted(entities(tested))).toEqual([child, frozen]);
  });

  it("are not those of an entity that had the index before", () => {
    const child = spawn(world, ChildOf(ship));
    const tested = readUpToNow(changed(ChildOf));
    add(world, child, ChildOf(station));
    destroy(world, child);
    spawn(world);

    expect(entities(tested)).toEqual([]);
  });

  it("are those of the last of several that are spawned with one partner, and of the partner", () => {
    const Partner = relation("Partner", { symmetric: true, exclusive: true });
    const kinds = [changed(Partner), added(Partner), removed(Partner)].map((term) => readUpToNow(term));

    const [, , last] = spawnMany(world, 3, Partner(ship));

    expect(kinds.map((kind) => sorted(entities(kind)))).toEqual([[ship, last], [ship, last], []]);
    verifyWorld();
  });

  it("are no longer marked once the last query for them is disposed", () => {
    const child = spawn(world, ChildOf(ship));
    const tested = readUpToNow(changed(ChildOf));
    dispose(tested);
    add(world, child, ChildOf(station));

    expect(entities(query(world, changed(ChildOf)))).toEqual([child]);
    verifyWorld();
  });

  it("of Parent, of pairs and of relations with many targets are refused", () => {
    expect(codeOf(() => query(world, changed(Parent)))).toBe("bad-query");
    expect(codeOf(() => query(world, changed(Needs as never)))).toBe("bad-query");
    expect(codeOf(() => query(world, changed(Any as never)))).toBe("bad-query");
    expect(codeOf(() => query(world, changed(ChildOf(ship) as never)))).toBe("bad-query");
  });
});
