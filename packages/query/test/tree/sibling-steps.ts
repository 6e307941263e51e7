import { add, defer, type Entity, isAlive, pack, remove, type World } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { attach, detach, removeAll, remove as removeOne } from "../../src/hierarchy.ts";
import { ancestors, children, destroy } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { OrderedChildren } from "../public/builtins.ts";
import { insertAt, moveAfter, moveBefore } from "../public/places.ts";
import { detachChildren, replaceChildren, setChildOrder, sortChildren } from "../public/siblings.ts";
import type { SiblingModel } from "./sibling-model.ts";
import {
  Extra,
  enter,
  forget,
  isBelow,
  leave,
  root,
  shuffled,
  someEntity,
  someParent,
  spawnOne,
  Weight,
} from "./sibling-model.ts";

/** What a call must say, and what it must do if it says nothing. */
interface Step {
  readonly name: string;
  readonly act: () => void;
  readonly code: string | undefined;
  readonly updateModel: () => void;
}

type Choose = (model: SiblingModel) => Step;

function attachStep(model: SiblingModel): Step {
  const { world, dice } = model;
  const [child, parent] = [someEntity(model), someEntity(model)];
  const storage = dice.pick([undefined, ...model.storages]);
  return {
    name: "attach",
    act: () => attach(world, child, parent, storage),
    code: isBelow(model, parent, child) ? "cycle" : undefined,
    updateModel: () => {
      if (model.parents.get(child) === parent) return;
      leave(model, child);
      enter(model, child, parent);
    },
  };
}

function insertStep(model: SiblingModel): Step {
  const { world, dice, lists } = model;
  const parent = someParent(model);
  const own = lists.get(parent)!;
  const child = own.length > 0 && dice.chance(0.7) ? dice.pick(own) : someEntity(model);
  const others = own.filter((one) => one !== child);
  const place = dice.chance(0.05)
    ? dice.pick([-1, 0.5, others.length + 1, NaN])
    : dice.below(others.length + 1);
  const isPlace = Number.isInteger(place) && place >= 0 && place <= others.length;
  return {
    name: `insert at ${place} of ${others.length}`,
    act: () => insertAt(world, parent, child, place),
    code: !isPlace ? "bad-order" : isBelow(model, parent, child) ? "cycle" : undefined,
    updateModel: () => {
      leave(model, child);
      enter(model, child, parent, place);
    },
  };
}

function besideStep(model: SiblingModel): Step {
  const { world, dice, lists, parents } = model;
  const siblings = lists.get(someParent(model))!;
  const sibling = siblings.length > 0 && dice.chance(0.9) ? dice.pick(siblings) : someEntity(model);
  const parent = parents.get(sibling);
  const own = lists.get(parent)!;
  const child = dice.chance(0.7) ? dice.pick(own) : someEntity(model);
  const isBefore = dice.chance(0.5);
  const isWrong = parent === undefined || child === sibling;
  return {
    name: isBefore ? "move before" : "move after",
    act: () => (isBefore ? moveBefore : moveAfter)(world, child, sibling),
    code: isWrong ? "bad-order" : isBelow(model, parent, child) ? "cycle" : undefined,
    updateModel: () => {
      leave(model, child);
      enter(model, child, parent, own.indexOf(sibling) + (isBefore ? 0 : 1));
    },
  };
}

function orderStep(model: SiblingModel): Step {
  const { world, dice, lists } = model;
  const parent = someParent(model);
  const own = lists.get(parent)!;
  const list = shuffled(model, own);
  const spoil = dice.below(12);
  if (spoil === 0) list.pop();
  if (spoil === 1) list.push(someEntity(model));
  if (spoil === 2 && list.length > 1) list[0] = list[1]!;
  const isRight = list.length === own.length && own.every((child) => list.includes(child));
  return {
    name: "set child order",
    act: () => setChildOrder(world, parent, list),
    code: isRight ? undefined : "bad-order",
    updateModel: () => own.splice(0, own.length, ...list),
  };
}

function sortStep(model: SiblingModel): Step {
  const { world, dice, lists, weights } = model;
  const parent = someParent(model);
  const own = lists.get(parent)!;
  const sign = dice.pick([1, -1]);
  if (dice.chance(0.5)) {
    const compare = (one: Entity, other: Entity): number => sign * ((one % 5) - (other % 5));
    const updateModel = (): unknown => own.sort(compare);
    return { name: "sort", act: () => sortChildren(world, parent, compare), code: undefined, updateModel };
  }
  return {
    name: "sort by weight",
    act: () => sortChildren(world, parent, Weight, (one, other) => sign * (one.kilos - other.kilos)),
    code: undefined,
    updateModel: () => {
      const heavy = own.filter((child) => weights.has(child));
      heavy.sort((one, other) => sign * (weights.get(one)! - weights.get(other)!));
      own.splice(0, own.length, ...heavy, ...own.filter((child) => !weights.has(child)));
    },
  };
}

function replaceStep(model: SiblingModel): Step {
  const { world, dice, lists } = model;
  const parent = someParent(model);
  const own = lists.get(parent)!;
  const kept = own.filter(() => dice.chance(0.7));
  const come = [...Array(dice.below(4))].map(() => someEntity(model));
  const list = shuffled(model, [...new Set([...kept, ...come])]);
  const isTwice = list.length > 0 && dice.chance(0.05);
  if (isTwice) list.push(list[0]!);
  const isCycle = list.some((child) => isBelow(model, parent, child));
  return {
    name: "replace children",
    act: () => replaceChildren(world, parent, list),
    code: isTwice ? "bad-order" : isCycle ? "cycle" : undefined,
    updateModel: () => {
      for (const child of own.filter((one) => !list.includes(one))) root(model, child);
      for (const child of list) {
        leave(model, child);
        enter(model, child, parent);
      }
    },
  };
}

function rootStep(model: SiblingModel): Step {
  const { world, dice, lists } = model;
  const entity = someParent(model);
  const choice = dice.below(4);
  const below = (top: Entity): Entity[] => lists.get(top)!.flatMap((child) => [child, ...below(child)]);
  const [name, verb, moved] = [
    ["detach", detach, [entity]],
    ["detach children", detachChildren, [...lists.get(entity)!]],
    ["remove", removeOne, [entity, ...lists.get(entity)!]],
    ["remove all", removeAll, [entity, ...below(entity)]],
  ][choice] as [string, (world: World, entity: Entity) => void, Entity[]];
  return {
    name,
    act: () => verb(world, entity),
    code: undefined,
    updateModel: () => {
      for (const one of moved) root(model, one);
    },
  };
}

function plainStep(model: SiblingModel): Step {
  const { world, dice } = model;
  const entity = someEntity(model);
  const calls: readonly (readonly [string, () => void])[] = [
    ["add OrderedChildren", () => add(world, entity, OrderedChildren)],
    ["remove OrderedChildren", () => remove(world, entity, OrderedChildren)],
    ["add Extra", () => add(world, entity, Extra({ of: entity }))],
    ["remove Extra", () => remove(world, entity, Extra)],
    ["pack", () => pack(world)],
  ];
  const [name, act] = dice.pick(calls);
  return { name, act, code: undefined, updateModel: () => {} };
}

function storageStep(model: SiblingModel): Step {
  const { world, dice, parents } = model;
  const entity = someEntity(model);
  const parent = parents.get(entity);
  const storage = dice.pick(model.storages);
  const act = (): void => {
    if (parent !== undefined) add(world, entity, storage(parent));
  };
  return { name: "change storage", act, code: undefined, updateModel: () => {} };
}

function destroyStep(model: SiblingModel): Step {
  const { world } = model;
  const entity = someEntity(model);
  const destroyed = [...postOrderBelow(model, entity), entity].filter(
    (one) => model.parents.get(one) !== undefined,
  );
  return {
    name: "destroy",
    act: () => destroy(world, entity),
    code: undefined,
    updateModel: () => {
      forget(model, entity);
      const reported = model.observed.map((event) => event.entity);
      if (model.isObserved && String(reported) !== String(destroyed))
        throw new Error(`destroyed as ${reported}, not ${destroyed}`);
    },
  };
}

/** All entities below, children before parents, siblings in order. */
function postOrderBelow(model: SiblingModel, entity: Entity): Entity[] {
  return model.lists.get(entity)!.flatMap((child) => [...postOrderBelow(model, child), child]);
}

const STEPS: readonly Choose[] = [
  attachStep,
  attachStep,
  insertStep,
  insertStep,
  besideStep,
  besideStep,
  orderStep,
  sortStep,
  replaceStep,
  rootStep,
  plainStep,
  storageStep,
];

/** One random call, in the world and in the lists. @returns what is wrong then. */
export function takeStep(model: SiblingModel, most: number): string[] {
  const { world, dice, parents } = model;
  model.observed.length = 0;
  if (parents.size < 4 || (parents.size < most && dice.chance(0.25))) {
    spawnOne(model);
    return compare(model, "spawn", undefined);
  }
  const { name, act, code, updateModel } = dice.chance(0.03) ? destroyStep(model) : dice.pick(STEPS)(model);
  const before = new Map([...model.lists].map(([parent, list]) => [parent, [...list]]));
  const isDeferred = dice.chance(0.2);
  const reported = codeOf(isDeferred ? () => defer(world, act) : act);
  if (reported !== code) return [`${name} says ${reported}, not ${code}`];
  if (code === undefined) updateModel();
  return compare(model, name, before);
}

function compare(model: SiblingModel, name: string, before: SiblingModel["lists"] | undefined): string[] {
  const { world, lists, parents } = model;
  const wrong = verify(world);
  for (const [parent, list] of lists) {
    if (parent === undefined) continue;
    const received = children(world, parent);
    if (String(received) !== String(list)) wrong.push(`below ${parent}: ${received} instead of ${list}`);
    if (before !== undefined) wrong.push(...compareReported(model, parent, before.get(parent) ?? [], list));
  }
  for (const [entity, parent] of parents) {
    if (!isAlive(world, entity)) wrong.push(`${entity} is dead`);
    else if (ancestors(world, entity)[0] !== parent)
      wrong.push(`${entity} has another parent than ${parent}`);
  }
  return wrong.map((text) => `${name}: ${text}`);
}

/** Reordered is reported once if the remaining children are in another order, else never. */
function compareReported(
  { observed, isObserved }: SiblingModel,
  parent: Entity,
  before: readonly Entity[],
  after: readonly Entity[],
): string[] {
  if (observed.length === 0 && before.length === 0) return [];
  const stayed = before.filter((child) => after.includes(child));
  const now = after.filter((child) => before.includes(child));
  const right = String(stayed) === String(now) ? 0 : 1;
  const reported = observed.filter(({ kind, entity }) => kind === "reordered" && entity === parent).length;
  return reported === right || !isObserved
    ? []
    : [`${reported} times reported that the children of ${parent} are reordered`];
}
