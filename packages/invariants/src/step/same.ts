/** Compares values read from the real world with those of its twin. */

import type { FieldKind, Fields, Twin } from "../twin/rules.ts";
import type { RealWorld } from "./real-world.ts";
import { handleOf } from "./real-world.ts";
import { textOf } from "./step.ts";
import { fieldsOf, isObject } from "./vocabulary.ts";

/** @throws Error unless both are the same number, text, boolean or list of these. */
export function same(actual: unknown, expected: unknown, what: () => string): void {
  if (Object.is(actual, expected)) return;
  if (Array.isArray(actual) && Array.isArray(expected) && actual.length === expected.length) {
    if (actual.every((item, at) => Object.is(item, expected[at]))) return;
  }
  throw new Error(`${what()}: ${textOf(actual)} instead of ${textOf(expected)}`);
}

/** @throws Error unless a value read from the real world equals the twin's, field by field. */
export function sameValue(
  real: RealWorld,
  what: string,
  actual: unknown,
  expected: unknown,
  where: () => string,
): void {
  const fields = fieldsOf(what);
  if (fields === undefined || expected === undefined || actual === undefined) {
    same(actual, expected, where);
    return;
  }
  for (const field in fields) {
    const seen = (actual as Record<string, unknown>)[field];
    const wanted = (expected as Fields)[field];
    if (sameField(real, fields[field]!, seen, wanted)) continue;
    throw new Error(`${where()}.${field}: ${textOf(seen)} instead of ${textOf(wanted)}`);
  }
}

/** @throws Error unless a field that was read by itself equals that of the twin's value. */
export function sameFieldOf(
  real: RealWorld,
  what: string,
  field: string,
  seen: unknown,
  expected: unknown,
  where: () => string,
): void {
  const wanted = (expected as Fields | undefined)?.[field];
  const isSame =
    expected === undefined ? seen === undefined : sameField(real, fieldsOf(what)![field]!, seen, wanted);
  if (!isSame) throw new Error(`${where()}.${field}: ${textOf(seen)} instead of ${textOf(wanted)}`);
}

function sameField(real: RealWorld, kind: FieldKind, seen: unknown, wanted: unknown): boolean {
  if (kind === "entity") return seen === (wanted === undefined ? undefined : handleOf(real, wanted as Twin));
  if (kind !== "four f32") return Object.is(seen, wanted);
  const cells = seen as ArrayLike<number>;
  return cells.length === 4 && (wanted as readonly number[]).every((cell, at) => Object.is(cells[at], cell));
}

/**
 * Compares one row of columns with a value of the twin. Columns of entity fields also contain handles of destroyed entities;
 * these are skipped.
 */
export function sameColumns(
  real: RealWorld,
  what: string,
  columns: unknown,
  row: number,
  expected: unknown,
  where: () => string,
): void {
  if (expected === undefined || columns === undefined) {
    same(columns, expected, where);
    return;
  }
  if (isObject(what)) {
    same((columns as readonly unknown[])[row], expected, where);
    return;
  }
  const fields = fieldsOf(what) ?? {};
  for (const field in fields) {
    const kind = fields[field]!;
    const column = (columns as Readonly<Record<string, ArrayLike<unknown>>>)[field]!;
    const wanted = (expected as Fields)[field];
    if (kind === "entity") {
      if (wanted !== undefined) same(column[row], handleOf(real, wanted as Twin), where);
    } else if (kind === "four f32") {
      same(
        Array.from({ length: 4 }, (_, at) => column[row * 4 + at]),
        wanted,
        where,
      );
    } else {
      same(column[row], kind === "bool" ? Number(wanted) : wanted, () => `${where()}.${field}`);
    }
  }
}
