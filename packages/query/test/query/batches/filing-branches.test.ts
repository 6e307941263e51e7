import { ChildOf, createWorld, type Entity, remove, spawn, type World } from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { endRound, Files, fileEntity } from "../../../src/query/batches/filing.ts";
import { along, Likes, Needs, Size } from "../../random/path-world.ts";
import { beginRound, filedAt } from "./filing-world.ts";

let world: World;
let files: Files;

beforeEach(() => {
  world = createWorld();
  files = new Files(world, [along(world, Needs, Size)]);
});

/** [depth, index of the source] of an entity that is filed now, in this round. */
function found(entity: Entity): [depth: number, ...sources: number[]] | undefined {
  fileEntity(world, files, indexOf(entity));
  return filedAt(world, files, entity);
}

describe("along a relation with many targets", () => {
  it("the first branch is searched to its end before the second, in order of index and not of adding", () => {
    const [low, high] = [spawn(world), spawn(world, Size)];
    const far = spawn(world, Size);
    const middle = spawn(world, Needs(far));
    const one = spawn(world, Needs(high), Needs(low));
    const other = spawn(world, Needs(far), Needs(middle));
    const another = spawn(world, Needs(middle), Needs(one));
    beginRound(world, files);

    expect([one, other, another].map(found)).toEqual([
      [1, indexOf(high)],
      [2, indexOf(far)],
      [2, indexOf(far)],
    ]);
  });

  it("entities without targets, and with those of other relations, are not filed", () => {
    const idol = spawn(world, Size);
    const [alone, fan] = [spawn(world), spawn(world, Likes(idol))];
    beginRound(world, files);

    expect([alone, fan].map(found)).toEqual([undefined, undefined]);
  });

  it("entities without targets, but with a pair of another path, have neither source nor depth", () => {
    files = new Files(world, [along(world, Needs, Size), along(world, ChildOf, Size)]);
    const top = spawn(world, Size);
    const child = spawn(world, ChildOf(spawn(world, ChildOf(top))));
    beginRound(world, files);

    expect(found(child)).toEqual([0, 0, indexOf(top)]);
  });

  it("what was found holds for one round", () => {
    const top = spawn(world, Size);
    const one = spawn(world, Needs(spawn(world, Needs(top))));
    beginRound(world, files);
    const first = found(one);

    remove(world, top, Size);
    const { depth, key } = files;
    fileEntity(world, files, indexOf(one));
    const second = [files.depth, files.sources[0]];
    endRound(files);

    expect([first, depth, second]).toEqual([[2, indexOf(top)], 2, [2, indexOf(top)]]);
    expect(key).not.toBe(-1);
    expect(found(one)).toEqual([2, 0]);
  });
});
