import { ChildOf, createWorld, type Entity, Parent, spawn, type World } from "@treeline/core";
import { ANY, archetypeViewAt, indexOf, rowAt } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { bind, cascade, eachBatch, type Query, query, up, variable } from "../../../src/index.ts";
import { Scene } from "../../../src/query/state/scene.ts";
import { beginVisit, endVisit, type Visit } from "../../../src/visit/visiting.ts";
import { Likes, Tag, Warm } from "../../definitions.ts";

const liked = variable("liked");

let world: World;
let root: Entity;
let ship: Entity;
let seat: Entity;

beforeEach(() => {
  world = createWorld();
  root = spawn(world, Warm, Tag);
  ship = spawn(world, Parent(root), Tag, Likes(root));
  seat = spawn(world, ChildOf(ship), Tag, Likes(ship));
});

interface Shown {
  entities: Entity[];
  depth: number;
  holders: (Entity | undefined)[];
  liked: number | undefined;
}

/** What a scene shows of each span. */
function shown(asked: unknown): Shown[] {
  const own = asked as Query;
  const visit: Visit = beginVisit(own, false);
  const { spans, scene } = visit;
  const found: Shown[] = [];
  for (let at = 0; at < spans.length; at += spans.stride) {
    scene.turnTo(spans, at);
    const entities: Entity[] = [];
    for (let place = scene.from; place < scene.to; place++) entities.push(scene.entityAt(place));
    const holders = scene.holders
      .slice(0, own.plan.traversals.length)
      .map((archetype, place) =>
        archetype === undefined
          ? undefined
          : [root, ship, seat].find(
              (one) =>
                rowAt(world, indexOf(one)) === scene.holderRowAt(place, scene.from) &&
                archetypeViewAt(world, indexOf(one)) === archetype,
            ),
      );
    expect(scene.entityIn(scene.rowAt(scene.from))).toBe(entities[0]);
    found.push({
      entities,
      depth: scene.depth,
      holders,
      liked: own.plan.variables.length > 0 ? scene.targetOf(liked) : undefined,
    });
  }
  endVisit(own, visit, true);
  return found;
}

describe("a scene shows a span", () => {
  it("of rows, with nobody above", () => {
    expect(shown(query(world, Warm))).toEqual([
      { entities: [root], depth: 0, holders: [], liked: undefined },
    ]);
  });

  it("of a list, with its depth and whoever is above along each way", () => {
    expect(shown(query(world, Tag, cascade(Warm), up(Tag)))).toEqual([
      { entities: [ship], depth: 1, holders: [root, root], liked: undefined },
      { entities: [seat], depth: 2, holders: [root, ship], liked: undefined },
    ]);
    expect(shown(query(world, Tag, cascade(Warm)))[0]).toEqual({
      entities: [root],
      depth: 0,
      holders: [undefined],
      liked: undefined,
    });
  });

  it("that is joined, with what its variables stand for, its depth and its ancestors", () => {
    expect(shown(query(world, Likes(liked), cascade(Warm)))).toEqual([
      { entities: [ship], depth: 1, holders: [root], liked: root },
      { entities: [seat], depth: 2, holders: [root], liked: ship },
    ]);
  });

  it("for which a variable is set, with that", () => {
    const asked = query(world, Likes(liked));

    expect(shown(bind(asked, liked, ship))).toEqual([
      { entities: [seat], depth: 0, holders: [], liked: ship },
    ]);
    const scene = new Scene(bind(asked, liked, undefined) as never as Query);
    expect(scene.targetOf(liked)).toBe(ANY);
  });

  it("with a place for what each variable stands for, whichever is looked at first", () => {
    const above = variable("above");
    const asked = query(world, Likes(liked), ChildOf(above), up(Warm)) as unknown as Query;
    const sizes = ({ holders, holderRow, holderRows }: Scene): number[] =>
      [holders, holderRow, holderRows].map((list) => Object.keys(list).length);
    const found: unknown[] = [];
    eachBatch(asked, (batch) => {
      for (const one of [above, liked, Warm]) found.push(batch.holderAt(one, batch.from));
    });
    const [{ scene }] = asked.spares.lists as [Visit];

    expect(found).toEqual([root, root, root, ship, ship, root]);
    expect([sizes(new Scene(asked)), sizes(scene)]).toEqual([
      [3, 3, 3],
      [3, 3, 3],
    ]);
  });
});
