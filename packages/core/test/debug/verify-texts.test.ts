/** Breaks that break other invariants of the same number as well: each must be told by the sentence that is about it. */
import { describe, expect, it } from "vitest";
import { tableFor } from "../../src/graph/graph.ts";
import { add, ChildOf, Disabled, defer, release, spawn } from "../../src/index.ts";
import { joinFamily, noteAlike, sliceOf } from "../../src/records/families.ts";
import type { Cut } from "../../src/storage/bits.ts";
import { appendTable } from "../../src/storage/table.ts";
import { pairFor } from "../graph/graph-fixture.ts";
import { indexOf, pairOf } from "../handles.ts";
import { verify } from "../reading.ts";
import { archetypeFor, DockedTo, type Healthy, Likes, plantHealthy, tableOf } from "./healthy.ts";

/** The record of a family. */
function recordOf({ world }: Healthy, pair: number): Int32Array {
  return world.graph.families.records.subarray(pair * 8, pair * 8 + 8);
}

const [FIRST, LENGTH, ROOM] = [0, 2, 3];

describe("verify says", () => {
  it.each<readonly [string, RegExp, (healthy: Healthy) => unknown]>([
    [
      "that an empty table has two pairs",
      /^I14: t\d+ has 2 pairs but no entity$/,
      ({ world, ship, cockpit, crew }) => {
        const { graph } = world;
        const own = archetypeFor(world, crew[0]);
        const pairs = [ship, cockpit].map((target) => pairFor(graph, Likes, indexOf(target)));
        graph.wanted.set(pairs.sort((one, other) => one - other));
        appendTable(graph.tables, own.empty, tableFor(graph, own, 2));
      },
    ],
    [
      "that a table has the pair of a parent",
      /^I4: t\d+ has a pair of ChildOf$/,
      ({ world, ship, cockpit }) => {
        const { tables, records } = world.graph;
        const table = tableOf(world, spawn(world, ChildOf(cockpit), DockedTo(ship)));
        records.nodePair[tables.nodes[table]!] = pairOf(world, ChildOf, cockpit);
      },
    ],
    [
      "that a table without pairs counts its entities",
      /^I13: t\d+ counts 1 entities, but has no pair$/,
      ({ world, cockpit }) => world.graph.tables.count[tableOf(world, cockpit)]!++,
    ],
    [
      "that a table has more entities than room",
      /^I2: t\d+ counts 4 entities in a list for 2$/,
      ({ world, crew }) => {
        world.graph.tables.capacity[tableOf(world, crew[0])] = 2;
      },
    ],
    [
      "that a stride is shorter than the columns",
      /^I2: the stride 8 of archetype \d+ is wrong$/,
      ({ world, cockpit }) => Object.assign(archetypeFor(world, cockpit).lanes, { stride: 8 }),
    ],
    [
      "that a buffer is not aligned",
      /^I2: a buffer of archetype \d+ is not aligned to 16 bytes$/,
      ({ world, cockpit }) => {
        const { lanes } = archetypeFor(world, cockpit);
        const { length } = lanes.i32;
        const moved = new Int32Array(new ArrayBuffer(length * 4 + 4), 4, length);
        moved.set(lanes.i32);
        Object.assign(lanes, { i32: moved });
      },
    ],
    [
      "that there are too few bits",
      /^I13: archetype \d+ has the wrong number of bits for Disabled$/,
      (healthy) => Object.assign(disabled(healthy), { words: new Int32Array(0) }),
    ],
    [
      "that a row behind the last has a tag",
      /^I13: archetype \d+ has 2 rows, but row 5 has Disabled$/,
      (healthy) => {
        disabled(healthy).words[0]! |= 1 << 5;
      },
    ],
    [
      "that a cut ends behind the rows",
      /^I13: the cut .* of archetype \d+ ends behind its rows$/,
      (healthy) => {
        disabled(healthy);
        const cut: Cut = { key: "", required: [], excluded: [Disabled] };
        const left = archetypeFor(healthy.world, healthy.cockpit).bits!.rowsIn(cut);
        left.bounds[left.length - 1] = 3;
      },
    ],
    [
      "that a family is of another relation",
      /^I16: the family -\d+ of #\d+ is not a pair of ChildOf$/,
      ({ world, seat, ship }) => {
        world.entities.family[indexOf(seat)] = pairOf(world, Likes, ship);
      },
    ],
    [
      "that a pair of another relation has a list",
      /^I16: pair -\d+ has a list but is not of ChildOf$/,
      ({ world: { graph, entities }, world, ship, cockpit }) =>
        joinFamily(graph.families, entities, pairOf(world, Likes, ship), indexOf(cockpit), false),
    ],
    [
      "that a list is longer than its slice",
      /^I16: the list of pair -\d+, \d+ to \d+, does not fit its slice, or begins earlier$/,
      (healthy) => {
        const record = recordOf(healthy, pairOf(healthy.world, ChildOf, healthy.cockpit));
        record[ROOM] = 2;
        expect(record[LENGTH]).toBeGreaterThan(2);
      },
    ],
    [
      "that two lists of children overlap",
      /^I16: the list of pair \d+, \d+ to \d+, overlaps another, or ends after \d+$/,
      (healthy) => {
        const { world, ship, cockpit } = healthy;
        recordOf(healthy, pairOf(world, ChildOf, ship))[FIRST] = recordOf(
          healthy,
          pairOf(world, ChildOf, cockpit),
        )[FIRST]!;
      },
    ],
    [
      "that two lists of tables overlap",
      /^I2: the list of table \d+, \d+ to \d+, overlaps another, or ends after \d+$/,
      ({ world, crew, ship }) => {
        const { first } = world.graph.tables;
        first[tableOf(world, spawn(world, Likes(ship)))] = first[tableOf(world, crew[0])]!;
      },
    ],
    [
      "that a free slice is in use",
      /^I16: the free slice of \d+ numbers at \d+ overlaps another$/,
      ({ world, cockpit }) => {
        const { families } = world.graph;
        const { first, room } = sliceOf(families, pairOf(world, ChildOf, cockpit));
        families.free[31 - Math.clz32(room)] = first + 1;
      },
    ],
    [
      "that a number of a pool is in no slice",
      /^I2: the number at \d+ of the pool of tables is in no slice$/,
      ({ world, crew }) => {
        const { lists } = world.graph.tables;
        for (const one of crew) release(world, one);
        lists.free.fill(0);
      },
    ],
    [
      "that a pool is shorter than what is in use",
      /^I16: the pool has \d+ numbers, but ends after 4096$/,
      ({ world }) => {
        world.graph.families.end = 4096;
      },
    ],
    [
      "that children are miscounted",
      /^I16: the list of pair -\d+ counts 6 children, 0 by value; there are 5 and 0$/,
      (healthy) => recordOf(healthy, pairOf(healthy.world, ChildOf, healthy.cockpit))[4]!++,
    ],
    [
      "that a child is at another place",
      /^I16: #\d+ is in the list of pair -\d+, at another place than it says$/,
      ({ world, seat }) => {
        world.entities.place[indexOf(seat)] = 3;
      },
    ],
    [
      "that a list begins with a hole",
      /^I16: the list of pair -\d+ begins or ends with a hole$/,
      ({ world, cockpit }) => {
        const { families } = world.graph;
        families.pool[sliceOf(families, pairOf(world, ChildOf, cockpit)).first] = 0;
      },
    ],
    [
      "that what is remembered of the children's rows is wrong",
      /^I16: the children of pair -\d+ are not in rows of archetype \d+, as was remembered$/,
      ({ world, cockpit, seat }) => {
        const { families, archetypes } = world.graph;
        const { number } = archetypeFor(world, seat);
        noteAlike(families, pairOf(world, ChildOf, cockpit), archetypes.at(number - 1)!, false);
      },
    ],
    [
      "that an entity is in two lists",
      /^I16: #\d+ is in lists twice, the second time in that of pair -\d+$/,
      ({ world: { graph, entities }, world, ship, cockpit }) =>
        joinFamily(graph.families, entities, pairOf(world, ChildOf, ship), indexOf(cockpit), false),
    ],
  ])("%s", (_, text, spoil) => {
    const healthy = plantHealthy();

    spoil(healthy);

    expect(verify(healthy.world).filter((one) => text.test(one)).length).toBeGreaterThan(0);
  });

  it("that a pending spawn is in a family", () => {
    const { world, ship } = plantHealthy();

    const found = defer(world, () => {
      const index = indexOf(spawn(world, ChildOf(ship)));
      world.entities.place[index] = 2;
      const texts = verify(world);
      world.entities.place[index] = -1;
      return texts.map((text) => text.replace(`#${index}`, "#it"));
    });

    expect(found).toEqual(["I16: #it is pending, but at place 2 of the family 0"]);
  });
});

/** The bits of Disabled of the archetype of the cockpit, one of whose two rows has it. */
function disabled({ world, cockpit }: Healthy) {
  add(world, cockpit, Disabled);
  return archetypeFor(world, cockpit).bits!.columns[0]!;
}
