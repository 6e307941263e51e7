/** Treeline, in the first moments of a process. */
import { add, createWorld, type Entity, parentOf, spawn, type World as TreelineWorld } from "@treeline/core";
import { cascade, eachBatch, query } from "@treeline/query";
import { Local, Position, World } from "../../../fixtures/components.ts";
import { placeBatch } from "../../../fixtures/grove.ts";
import { sumOfParents } from "../../workloads/inputs.ts";
import { NEW_PARENTS } from "../../workloads/own-workloads.ts";
import type { Subject, Subjects } from "../../workloads/subject.ts";
import type { Given } from "../../workloads/workloads.ts";
import { makeQueries, parentNumbers } from "./changes.ts";
import { type Below, placesOf } from "./loops.ts";

function firstWorld(): Subject {
  let world: TreelineWorld | undefined;
  return {
    run: () => {
      world = createWorld();
    },
    checksum: () => Number(world !== undefined),
  };
}

function build(world: TreelineWorld, below: Below, length: number): Entity[] {
  const nodes: Entity[] = [];
  for (let node = 0; node < length; node++) {
    const local = Local({ x: 1 + (node % 3), y: 1 });
    nodes.push(node === 0 ? spawn(world, local, World) : spawn(world, local, World, below(nodes[node - 1]!)));
  }
  return nodes;
}

function chain(below: Below, { nodes: length }: Given<"chain">): Subject {
  const world = createWorld();
  let nodes: Entity[] = [];
  return {
    run: () => {
      nodes = build(world, below, length);
    },
    checksum: () =>
      placesOf(world, nodes, Local) +
      nodes.reduce((sum, node, at) => sum + Number(parentOf(world, node) === nodes[at - 1]), 0),
  };
}

function firstCascade(below: Below, { nodes: length }: Given<"firstCascade">): Subject {
  const world = createWorld();
  const nodes = build(world, below, length);
  return {
    run: () => eachBatch(query(world, Local, World, cascade(World)), placeBatch),
    checksum: () => placesOf(world, nodes, World),
  };
}

function firstParents(below: Below, { queries }: Given<"firstParents">): Subject {
  const world = createWorld();
  makeQueries(world, queries);
  const home = spawn(world);
  const children = Array.from({ length: NEW_PARENTS }, (_, at) =>
    spawn(world, Position({ x: at % 1024, y: 0 }), below(home)),
  );
  const added: Entity[] = [];
  return {
    run: () => {
      for (let at = 0; at < NEW_PARENTS; at++) {
        const parent = spawn(world);
        added.push(parent);
        add(world, children[at]!, below(parent));
      }
    },
    checksum: () => {
      const numberOf = parentNumbers(world, added);
      return sumOfParents(NEW_PARENTS, (at) => numberOf(children[at]!));
    },
  };
}

export function freshIn(below: Below): Subjects {
  return {
    firstWorld,
    chain: (given) => chain(below, given),
    firstCascade: (given) => firstCascade(below, given),
    firstParents: (given) => firstParents(below, given),
  };
}
