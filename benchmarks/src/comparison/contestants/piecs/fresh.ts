/** piecs, in the first moments of a process. */
import { createEntitySystem, World } from "piecs";
import { attach, type ChildList, createChildList, levels, move } from "../../workloads/child-list.ts";
import { sumOfParents, sumOfPlaces } from "../../workloads/inputs.ts";
import { NEW_PARENTS } from "../../workloads/own-workloads.ts";
import type { Subject, Subjects } from "../../workloads/subject.ts";
import type { Given } from "../../workloads/workloads.ts";
import { createStage, type Fields, fieldsOf, watch } from "./stage.ts";

function firstWorld(): Subject {
  let world: World | undefined;
  return {
    run: () => {
      world = new World();
    },
    checksum: () => Number(world !== undefined),
  };
}

/** A world for a chain, and the function that builds it. Nodes are numbered in order of creation. */
function chainStage(nodes: number): {
  readonly world: World;
  readonly local: Fields;
  readonly place: Fields;
  readonly list: ChildList;
  readonly build: () => void;
} {
  const world = new World();
  const local = fieldsOf(world, nodes);
  const place = fieldsOf(world, nodes);
  const placed = world.prefabricate([local, place]);
  const list = createChildList(nodes);
  const { x: lx, y: ly } = local;
  const build = (): void => {
    let last = -1;
    for (let at = 0; at < nodes; at++) {
      const entity = world.createEntity(placed);
      lx[entity] = 1 + (at % 3);
      ly[entity] = 1;
      if (last >= 0) attach(list, entity, last);
      last = entity;
    }
  };
  return { world, local, place, list, build };
}

function chain({ nodes }: Given<"chain">): Subject {
  const { local, list, build } = chainStage(nodes);
  return {
    run: build,
    checksum: () =>
      sumOfFields(local, nodes) + list.parent.reduce((sum, parent, at) => sum + Number(parent === at - 1), 0),
  };
}

/** As a system, which queries its entities as Treeline's query does. */
function firstCascade({ nodes }: Given<"firstCascade">): Subject {
  const { world, local, place, list, build } = chainStage(nodes);
  const { x: lx, y: ly } = local;
  const { x: wx, y: wy } = place;
  build();
  const step = (entities: ArrayLike<number>): void => {
    const order = levels(list, entities.length);
    const { parent: parents } = list;
    for (let at = 0, { length } = order; at < length; at++) {
      const node = order[at]!;
      const above = parents[node]!;
      if (above < 0) {
        wx[node] = lx[node]!;
        wy[node] = ly[node]!;
      } else {
        wx[node] = wx[above]! + lx[node]!;
        wy[node] = wy[above]! + ly[node]!;
      }
    }
  };
  return {
    run: () => {
      world.registerSystem(createEntitySystem(step, (query) => query.every(local, place))).initialize();
      world.update();
    },
    checksum: () => sumOfFields(place, nodes),
  };
}

function sumOfFields({ x, y }: Fields, nodes: number): number {
  return sumOfPlaces(
    nodes,
    (at) => x[at]!,
    (at) => y[at]!,
  );
}

function firstParents({ queries }: Given<"firstParents">): Subject {
  const stage = createStage(NEW_PARENTS * 2 + 1);
  const { world, position, list } = stage;
  const placed = world.prefabricate([position]);
  watch(world, position, queries);
  const home = world.createEntity();
  const children = Int32Array.from({ length: NEW_PARENTS }, (_, at) => {
    const entity = world.createEntity(placed);
    position.x[entity] = at % 1024;
    attach(list, entity, home);
    return entity;
  });
  const added = new Int32Array(NEW_PARENTS);
  return {
    run: () => {
      for (let at = 0; at < NEW_PARENTS; at++) {
        const parent = world.createEntity();
        added[at] = parent;
        move(list, children[at]!, parent);
      }
    },
    checksum: () => {
      const numbers = new Map(Array.from(added, (parent, at) => [parent, at]));
      return sumOfParents(NEW_PARENTS, (at) => numbers.get(list.parent[children[at]!]!) ?? -1);
    },
  };
}

export const fresh: Subjects = { firstWorld, chain, firstCascade, firstParents };
