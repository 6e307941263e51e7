/** Values of the naive twin: what is written, rounded according to the kinds of the fields. */
import type { FieldKind, FieldRules, Fields, FieldValue, Rules } from "./rules.ts";

export function fieldRulesOf(rules: Rules, what: string): FieldRules {
  return rules.schemas[what] ?? rules.relations[what]?.fields ?? {};
}

/** The given fields, rounded; the others as before, or the default values if there was nothing. */
export function mixed(fieldRules: FieldRules, before: Fields | undefined, given: unknown): Fields {
  const after: Record<string, FieldValue> = {};
  for (const [field, kind] of Object.entries(fieldRules)) {
    after[field] = before === undefined ? blankOf(kind) : before[field];
    if (given !== undefined && Object.hasOwn(given as Fields, field)) {
      after[field] = rounded(kind, (given as Fields)[field]);
    }
  }
  return after;
}

function blankOf(kind: FieldKind): FieldValue {
  if (kind === "bool") return false;
  if (kind === "entity") return undefined;
  return kind === "four f32" ? [0, 0, 0, 0] : 0;
}

function rounded(kind: FieldKind, value: FieldValue): FieldValue {
  if (kind === "f32") return Math.fround(value as number);
  if (kind === "four f32") return (value as readonly number[]).map(Math.fround);
  return value; // walks use integers within range for the other kinds
}
