/** The steps of walks over prefabs, how a walk chooses them, and how the twin takes them. */

import type { Dice } from "../base/dice.ts";
import {
  addPair,
  addTwin,
  copyState,
  DEFAULTS,
  destroyTwin,
  isAlive,
  KEYS,
  KINDS,
  type Link,
  moveTo,
  NAMES,
  prefabRoot,
  RELATIONS,
  readValue,
  removePair,
  type State,
  setOwn,
  setPrefab,
  subtree,
  twinOf,
  type Value,
} from "./twin.ts";
import { applyToPrefab, refresh, revertAll, revertOne } from "./twin-edit.ts";
import { become, contains, follow, instanceAt, isLoop, overriding, partsOf } from "./twin-instance.ts";

/** `at` numbers the steps of a walk; entities that a step makes are numbered from 1000 times that. */
export type Step = { readonly at: number; readonly isDeferred?: boolean } & (
  | {
      readonly verb: "spawn";
      readonly parent?: number;
      readonly isByValue: boolean;
      readonly isPrefab: boolean;
    }
  | { readonly verb: "set"; readonly id: number; readonly name: string; readonly value: Value }
  | {
      readonly verb: "patch";
      readonly id: number;
      readonly name: string;
      readonly field: string;
      readonly value: number;
    }
  | { readonly verb: "remove"; readonly id: number; readonly name: string }
  | {
      readonly verb: "pair" | "unpair";
      readonly id: number;
      readonly relation: string;
      readonly target: number;
      readonly link?: Partial<Link>;
    }
  | { readonly verb: "attach"; readonly id: number; readonly parent: number; readonly isByValue: boolean }
  | { readonly verb: "detach" | "destroy" | "revertAll" | "refresh"; readonly id: number }
  | { readonly verb: "move"; readonly id: number; readonly place: number }
  | {
      readonly verb: "instantiate";
      readonly prefab: number;
      readonly count: number;
      readonly parent?: number;
      readonly isByValue?: boolean;
      readonly with?: readonly (readonly [string, Value])[];
    }
  | { readonly verb: "isA" | "notA"; readonly id: number; readonly base: number }
  | { readonly verb: "key"; readonly id: number; readonly key: string | undefined }
  | { readonly verb: "prefab" | "noPrefab"; readonly id: number }
  | { readonly verb: "revert"; readonly id: number; readonly name: string }
  | { readonly verb: "apply"; readonly id: number; readonly name?: string }
  | { readonly verb: "autoOverride"; readonly id: number; readonly name: string; readonly isOn: boolean }
  | { readonly verb: "snapshot" | "restore" }
);

const FIELDS: { readonly [name: string]: readonly string[] } = {
  Position: ["x", "y"],
  Mesh: ["lod", "id"],
  Fuel: ["litres"],
  Aim: ["at"],
  Notes: ["length"],
};

export const TAGS: readonly string[] = ["Armed", "Lit", "Heavy", "Draft"];
/** What may be missing of a component where its value is completed. */
export function completed(state: State, id: number, name: string, given: Value): Value {
  if (typeof given !== "object") return given;
  return { ...(DEFAULTS[name] as object), ...(readValue(state, id, name) as object | undefined), ...given };
}

// ---- choosing -----------------------------------------------------------------------------------------------------

/** A step without its number. */
type Plain = Step extends infer One ? (One extends Step ? Omit<One, "at"> : never) : never;
type Choice = (state: State, dice: Dice) => Plain | undefined;

const any = (state: State, dice: Dice): number => dice.pick([...state.twins.keys()]);

function oneOf(state: State, dice: Dice, isMeant: (id: number) => boolean): number | undefined {
  const found = [...state.twins.keys()].filter(isMeant);
  return found.length === 0 ? undefined : dice.pick(found);
}

const isPrefabRoot = (state: State, id: number): boolean => {
  const { isPrefab, parent } = twinOf(state, id);
  return isPrefab && (parent === undefined || !twinOf(state, parent).isPrefab);
};

/** Mostly parts of prefabs and of instances. */
function anyPart(state: State, dice: Dice): number {
  const isMeant = (id: number): boolean => twinOf(state, id).isPrefab || twinOf(state, id).made !== undefined;
  return (dice.chance(0.8) ? oneOf(state, dice, isMeant) : undefined) ?? any(state, dice);
}

function valueFor(state: State, dice: Dice, name: string, isWhole: boolean): Value {
  if (TAGS.includes(name)) return true;
  const fields = FIELDS[name];
  if (fields === undefined) return dice.pick(["a", "b", "c"]);
  const some = isWhole ? fields : fields.filter(() => dice.chance(0.6));
  return Object.fromEntries(
    some.map((field) => [
      field,
      field === "at" ? (dice.chance(0.2) ? 0 : anyPart(state, dice)) : dice.below(4),
    ]),
  );
}

const CHOICES: readonly (readonly [number, Choice])[] = [
  [
    14,
    (state, dice) => {
      const isPrefab = dice.chance(0.2);
      const parent = isPrefab || dice.chance(0.1) ? undefined : anyPart(state, dice);
      return {
        verb: "spawn",
        isPrefab,
        isByValue: dice.chance(0.4),
        ...(parent !== undefined && { parent }),
      };
    },
  ],
  [
    26,
    (state, dice) => {
      const name = dice.pick(NAMES);
      return { verb: "set", id: anyPart(state, dice), name, value: valueFor(state, dice, name, false) };
    },
  ],
  [
    5,
    (state, dice) => {
      const name = dice.pick(["Position", "Mesh", "Mesh", "Fuel"]);
      const id = oneOf(state, dice, (one) => readValue(state, one, name) !== undefined);
      if (id === undefined) return undefined;
      return { verb: "patch", id, name, field: dice.pick(FIELDS[name]!), value: dice.below(4) };
    },
  ],
  [
    9,
    (state, dice) => {
      const id = anyPart(state, dice);
      const names = NAMES.filter((name) => readValue(state, id, name) !== undefined);
      return names.length === 0 ? undefined : { verb: "remove", id, name: dice.pick(names) };
    },
  ],
  [
    7,
    (state, dice) => {
      const relation = dice.pick(RELATIONS);
      const length = { length: dice.below(4) };
      const via = { via: dice.chance(0.2) ? 0 : anyPart(state, dice) };
      const link = dice.pick([length, via, { ...via, ...length }]);
      return {
        verb: dice.chance(0.7) ? "pair" : "unpair",
        id: anyPart(state, dice),
        relation,
        target: anyPart(state, dice),
        ...(relation === "Wire" && { link }),
      };
    },
  ],
  [
    9,
    (state, dice) => ({
      verb: "attach",
      id: anyPart(state, dice),
      parent: anyPart(state, dice),
      isByValue: dice.chance(0.4),
    }),
  ],
  [2, (state, dice) => ({ verb: "detach", id: anyPart(state, dice) })],
  [5, (state, dice) => ({ verb: "move", id: anyPart(state, dice), place: dice.below(4) })],
  [5, (state, dice) => ({ verb: "destroy", id: anyPart(state, dice) })],
  [
    16,
    (state, dice) => {
      const prefab = oneOf(state, dice, (id) => isPrefabRoot(state, id));
      if (prefab === undefined) return undefined;
      const parent = dice.chance(0.4) ? any(state, dice) : undefined;
      const names = NAMES.filter(() => dice.chance(0.1));
      return {
        verb: "instantiate",
        prefab,
        count: dice.pick([1, 1, 2, 3, 0]),
        ...(parent !== undefined && { parent }),
        ...(dice.chance(0.3) && { isByValue: dice.chance(0.5) }),
        ...(names.length > 0 && {
          with: names.map((name) => [name, valueFor(state, dice, name, true)] as const),
        }),
      };
    },
  ],
  [
    5,
    (state, dice) => {
      const base = oneOf(state, dice, (id) => twinOf(state, id).isPrefab);
      return base === undefined ? undefined : { verb: "isA", id: any(state, dice), base };
    },
  ],
  [
    2,
    (state, dice) => {
      const id = oneOf(state, dice, (one) => isAlive(state, twinOf(state, one).base));
      return id === undefined ? undefined : { verb: "notA", id, base: twinOf(state, id).base! };
    },
  ],
  [
    2,
    (state, dice) => {
      const id = oneOf(state, dice, (one) => {
        const { parent } = twinOf(state, one);
        return parent === undefined || !twinOf(state, parent).isPrefab;
      });
      if (id === undefined) return undefined;
      return { verb: twinOf(state, id).isPrefab ? "noPrefab" : "prefab", id };
    },
  ],
  [
    10,
    (state, dice) => {
      const id = oneOf(state, dice, (one) => isPrefabRoot(state, one));
      return id === undefined ? undefined : { verb: "refresh", id };
    },
  ],
  [
    4,
    (state, dice) => {
      const id = oneOf(state, dice, (one) => twinOf(state, one).made !== undefined);
      return id === undefined ? undefined : { verb: "revert", id, name: dice.pick([...NAMES, ...RELATIONS]) };
    },
  ],
  [
    4,
    (state, dice) => {
      const id = oneOf(state, dice, (one) => instanceAt(state, one) === one);
      return id === undefined ? undefined : { verb: "revertAll", id };
    },
  ],
  [
    5,
    (state, dice) => {
      const id = oneOf(state, dice, (one) => twinOf(state, one).made !== undefined);
      if (id === undefined) return undefined;
      return { verb: "apply", id, ...(dice.chance(0.4) && { name: dice.pick([...NAMES, ...RELATIONS]) }) };
    },
  ],
  [
    3,
    (state, dice) => ({
      verb: "autoOverride",
      id: anyPart(state, dice),
      name: dice.pick(["Mesh", "Paint", "Heavy"]),
      isOn: dice.chance(0.7),
    }),
  ],
  [
    4,
    (state, dice) => ({
      verb: "key",
      id: anyPart(state, dice),
      key: dice.chance(0.2) ? undefined : dice.pick(KEYS),
    }),
  ],
  [2, (_, dice) => ({ verb: dice.chance(0.5) ? "snapshot" : "restore" })],
];
const WEIGHTS = CHOICES.reduce((sum, [weight]) => sum + weight, 0);

export function chooseStep(state: State, dice: Dice, at: number, cap: number): Step {
  if (state.twins.size < 3) return { at, verb: "spawn", isByValue: false, isPrefab: true };
  if (state.twins.size > cap && dice.chance(0.5)) return { at, verb: "destroy", id: any(state, dice) };
  for (;;) {
    let place = dice.below(WEIGHTS);
    const [, choose] = CHOICES.find(([weight]) => (place -= weight) < 0)!;
    const chosen = choose(state, dice);
    if (chosen === undefined) continue;
    const canWait = !["revert", "revertAll", "apply", "refresh", "snapshot", "restore"].includes(chosen.verb);
    return { at, ...chosen, ...(canWait && dice.chance(0.15) && { isDeferred: true }) } as Step;
  }
}

// ---- taking -------------------------------------------------------------------------------------------------------

/** The ids that a step names: it is left out if one of them is not alive, as may be once other steps are left out. */
export function namedBy(step: Step): number[] {
  const named = step as { readonly [Name in "id" | "parent" | "prefab" | "target" | "base"]?: number };
  const { id, parent, prefab, target, base } = named;
  return [id, parent, prefab, target, base].filter((one) => one !== undefined);
}

/** Would an instance have two entities that were made from one part? Which of them counts is not promised. */
export function makesDouble(state: State, step: Step): boolean {
  if (step.verb !== "attach" && step.verb !== "isA") return false;
  if (refusalOf(state, step) !== undefined) return false;
  const after = copyState(state);
  takeTwin(after, step);
  const lowest = step.verb === "attach" ? step.parent : step.id;
  for (let at: number | undefined = lowest; at !== undefined; at = twinOf(after, at).parent) {
    const { made } = twinOf(after, at);
    if (made?.part !== made?.root) continue;
    for (const part of made?.tree?.keys() ?? []) if (partsOf(after, at, part).length > 1) return true;
  }
  return false;
}

/** Why a step is refused, if it is. */
export function refusalOf(state: State, step: Step): string | undefined {
  switch (step.verb) {
    case "attach": {
      const { id, parent } = step;
      if (subtree(state, id).includes(parent)) return "cycle";
      const outer = prefabRoot(state, parent);
      const isIn = outer !== undefined;
      for (const { id: instance, base } of isIn ? state.twins.values() : []) {
        const around = prefabRoot(state, instance);
        if (
          isAlive(state, base) &&
          subtree(state, id).includes(base) &&
          around &&
          contains(state, outer!, around)
        )
          return "cycle";
      }
      const bases = subtree(state, id).map((one) => twinOf(state, one).base);
      return isIn && bases.some((base) => isAlive(state, base) && isLoop(state, parent, base))
        ? "cycle"
        : undefined;
    }
    case "instantiate": {
      if (!isPrefabRoot(state, step.prefab)) return "bad-term";
      const { parent, prefab } = step;
      return parent !== undefined && isLoop(state, parent, prefab) && (step.count > 0 || !step.isDeferred)
        ? "cycle"
        : undefined;
    }
    case "isA": {
      for (let at: number | undefined = step.base; isAlive(state, at); at = twinOf(state, at).base)
        if (at === step.id) return "cycle";
      if (twinOf(state, step.id).base === step.base) return undefined;
      for (
        let at = twinOf(state, step.base).made?.part;
        isAlive(state, at);
        at = twinOf(state, at).made?.part
      )
        if (at === step.id) return "cycle";
      if (isLoop(state, step.id, step.base)) return "cycle";
      return twinOf(state, step.base).isPrefab && !isPrefabRoot(state, step.base) ? "bad-term" : undefined;
    }
    case "key": {
      const isTaken = [...state.twins.values()].some(({ id, key }) => id !== step.id && key === step.key);
      return step.key !== undefined && isTaken ? "name-taken" : undefined;
    }
    case "refresh":
      return isPrefabRoot(state, step.id) ? undefined : "bad-term";
    case "revert":
    case "revertAll":
    case "apply":
      return twinOf(state, step.id).made === undefined ? "bad-term" : undefined;
    default:
      return undefined;
  }
}

/** Takes a step that is not refused; not for snapshots. */
export function takeTwin(state: State, step: Step): void {
  let made = 0;
  const nextId = (): number => step.at * 1000 + made++;
  switch (step.verb) {
    case "spawn": {
      const twin = addTwin(state, nextId(), step.parent, step.isByValue);
      if (step.isPrefab) twin.isPrefab = true;
      break;
    }
    case "set":
      overriding(state, step.id, step.name);
      setOwn(state, step.id, step.name, completed(state, step.id, step.name, step.value));
      break;
    case "patch": {
      const value = readValue(state, step.id, step.name);
      if (value === undefined) break;
      overriding(state, step.id, step.name);
      setOwn(state, step.id, step.name, { ...(value as object), [step.field]: step.value });
      break;
    }
    case "remove":
      setOwn(state, step.id, step.name, undefined);
      break;
    case "pair":
      addPair(state, step.id, step.relation, step.target, step.link);
      break;
    case "unpair":
      removePair(state, step.id, step.relation, step.target);
      break;
    case "attach":
      moveTo(state, step.id, step.parent, step.isByValue);
      break;
    case "detach":
      moveTo(state, step.id, undefined, false);
      break;
    case "destroy":
      destroyTwin(state, step.id);
      forgetBases(state);
      break;
    case "move": {
      const { parent } = twinOf(state, step.id);
      if (parent === undefined) break;
      const { children } = twinOf(state, parent);
      children.splice(children.indexOf(step.id), 1);
      children.splice(Math.min(step.place, children.length), 0, step.id);
      break;
    }
    case "instantiate":
      for (let count = 0; count < step.count; count++) {
        const root = addTwin(state, nextId(), step.parent, step.isByValue ?? false);
        for (const [name, value] of step.with ?? []) setOwn(state, root.id, name, value);
        become(state, root.id, step.prefab, step.isByValue, nextId);
      }
      break;
    case "key":
      twinOf(state, step.id).key = step.key;
      break;
    case "isA":
      if (twinOf(state, step.id).base === step.base) break;
      twinOf(state, step.id).base = step.base;
      follow(state, step.id, nextId);
      break;
    case "notA":
      if (twinOf(state, step.id).base !== step.base) break;
      twinOf(state, step.id).base = undefined;
      follow(state, step.id, nextId);
      break;
    case "prefab":
    case "noPrefab":
      setPrefab(state, step.id, step.verb === "prefab");
      break;
    case "refresh":
      refresh(state, step.id, nextId);
      break;
    case "revert":
      revertOne(state, step.id, step.name);
      break;
    case "revertAll":
      revertAll(state, step.id, nextId);
      break;
    case "apply":
      applyToPrefab(state, step.id, step.name);
      break;
    case "autoOverride": {
      const twin = twinOf(state, step.id);
      twin.ownCopies = twin.ownCopies.filter((name) => name !== step.name);
      if (step.isOn) twin.ownCopies.push(step.name);
      break;
    }
  }
  for (const id of state.twins.keys())
    for (const name of Object.keys(KINDS))
      if (id >= step.at * 1000 && id < (step.at + 1) * 1000) state.touched.add(`${id} ${name}`);
}

/** Instances of what is not alive any more are instances of nothing. */
function forgetBases(state: State): void {
  for (const twin of [...state.twins.values()]) {
    if (twin.base === undefined || isAlive(state, twin.base)) continue;
    twin.base = undefined;
    follow(state, twin.id, () => 0);
  }
}
