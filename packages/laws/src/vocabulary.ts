/**
 * The definitions that walks use, told twice: to the real world as definitions, to its twin as rules.
 * Every byte width, an entity field, an array field and every policy for dying targets is among them.
 */
import {
  array,
  bool,
  ChildOf,
  component,
  entity,
  f32,
  f64,
  i16,
  relation,
  tag,
  u8,
  u32,
} from "@treeline/core";
import { Name } from "@treeline/names";
import type { FieldRules, Rules } from "./slow-world.ts";

export const rules: Rules = {
  tags: ["Frozen", "Lit"],
  schemas: {
    Position: { x: "f32", y: "f32" },
    Health: { points: "i16", shield: "u8", awake: "bool" },
    Clock: { at: "f64", ticks: "u32" },
    Aim: { at: "entity", power: "f32" },
    Matrix: { cells: "four f32" },
  },
  objects: ["Mesh", "Name"],
  relations: {
    ChildOf: { exclusive: true, acyclic: true, onTargetDeath: "delete" },
    Likes: { exclusive: false, acyclic: false, onTargetDeath: "remove" },
    DockedTo: { exclusive: true, acyclic: false, onTargetDeath: "remove" },
    Follows: { exclusive: true, acyclic: true, onTargetDeath: "remove" },
    Owns: { exclusive: false, acyclic: false, onTargetDeath: "delete" },
    Guards: { exclusive: false, acyclic: false, onTargetDeath: "refuse" },
    Damage: {
      exclusive: false,
      acyclic: false,
      onTargetDeath: "remove",
      fields: { amount: "f32", by: "entity", level: "u8" },
    },
    Rents: { exclusive: true, acyclic: false, onTargetDeath: "remove", fields: { price: "f64" } },
  },
};

const definitions: Readonly<Record<string, unknown>> = {
  Frozen: tag("Frozen"),
  Lit: tag("Lit"),
  Position: component("Position", { x: f32, y: f32 }),
  Health: component("Health", { points: i16, shield: u8, awake: bool }),
  Clock: component("Clock", { at: f64, ticks: u32 }),
  Aim: component("Aim", { at: entity, power: f32 }),
  Matrix: component("Matrix", { cells: array(f32, 4) }),
  Mesh: component<string>("Mesh"),
  Name,
  ChildOf,
  Likes: relation("Likes"),
  DockedTo: relation("DockedTo", { exclusive: true }),
  Follows: relation("Follows", { acyclic: true }),
  Owns: relation("Owns", { onTargetDeath: "delete" }),
  Guards: relation("Guards", { onTargetDeath: "refuse" }),
  Damage: relation("Damage", { fields: { amount: f32, by: entity, level: u8 } }),
  Rents: relation("Rents", { exclusive: true, fields: { price: f64 } }),
};

/** The definition itself. Walks know what they handle only by name, so its type is given up here. */
export function definitionOf(what: string): unknown {
  const found = definitions[what];
  if (found === undefined) throw new Error(`no definition of ${what}`);
  return found;
}

/** A definition as a function: a component of its value, a relation of its target and value. */
export function callableOf(what: string): (...given: unknown[]) => unknown {
  return definitionOf(what) as (...given: unknown[]) => unknown;
}

/** Field kinds of a schema component or of a relation whose pairs carry values; otherwise `undefined`. */
export function fieldsOf(what: string): FieldRules | undefined {
  return rules.schemas[what] ?? rules.relations[what]?.fields;
}

export function isObject(what: string): boolean {
  return rules.objects.includes(what);
}

/** Does a term about it give a value to visitors? */
export function carriesValue(what: string): boolean {
  return isObject(what) || fieldsOf(what) !== undefined;
}
