import { createWorld, type Entity, remove, spawn, type World } from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { endRound, Files, findSources } from "../../../src/query/batches/filing.ts";
import { along, Likes, Needs, Size } from "../../random/path-world.ts";

let world: World;
let paths: Files;

beforeEach(() => {
  world = createWorld();
  paths = new Files(world, [along(world, Needs, Size)]);
});

/** [index of the source, depth] of an entity, in this round. */
function found(entity: Entity): [number, number] {
  const table = world.entities.table[indexOf(entity)]!;
  findSources(world, paths, table, 0);
  return [paths.sources[0]!, paths.depth];
}

describe("along a relation with many targets", () => {
  it("the first branch is searched to its end before the second, in order of index and not of adding", () => {
    const [low, high] = [spawn(world), spawn(world, Size)];
    const far = spawn(world, Size);
    const middle = spawn(world, Needs(far));
    const one = spawn(world, Needs(high), Needs(low));
    const other = spawn(world, Needs(far), Needs(middle));
    const another = spawn(world, Needs(middle), Needs(one));

    expect([one, other, another].map(found)).toEqual([
      [indexOf(high), 1],
      [indexOf(far), 2],
      [indexOf(far), 2],
    ]);
  });

  it("entities without targets, and with those of other relations, have neither source nor depth", () => {
    const idol = spawn(world, Size);
    const [alone, fan] = [spawn(world), spawn(world, Likes(idol))];

    expect([alone, fan].map(found)).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it("what was found holds for one round", () => {
    const top = spawn(world, Size);
    const one = spawn(world, Needs(spawn(world, Needs(top))));
    const first = found(one);

    remove(world, top, Size);
    const second = found(one);
    endRound(paths);

    expect([first, second, found(one)]).toEqual([
      [indexOf(top), 2],
      [indexOf(top), 2],
      [0, 2],
    ]);
  });
});
