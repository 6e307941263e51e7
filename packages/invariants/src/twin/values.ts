/** Values of the naive twin: what is written, rounded according to the kinds of the fields. */
import type { FieldKind, FieldRules, Fields, FieldValue, Rules } from "./rules.ts";

export function fieldRulesOf(rules: Rules, what: string): FieldRules {
  return rules.schemas[what] ?? rules.relations[what]?.fields ?? {};
}

/** The given fields, rounded; the others as before, or their defaults if there was nothing. */
export function mixed(rules: Rules, what: string, before: Fields | undefined, given: unknown): Fields {
  const after: Record<string, FieldValue> = {};
  const defaults = rules.defaults[what] as Fields | undefined;
  for (const [field, kind] of Object.entries(fieldRulesOf(rules, what))) {
    const initial =
      defaults !== undefined && field in defaults ? rounded(kind, defaults[field]) : blankOf(kind);
    after[field] = before === undefined ? initial : before[field];
    const value = (given as Fields | undefined)?.[field];
    if (
      value !== undefined ||
      (given !== undefined && Object.hasOwn(given as Fields, field) && initial === undefined)
    )
      after[field] = rounded(kind, value);
  }
  return after;
}

function blankOf(kind: FieldKind): FieldValue {
  if (kind === "bool") return false;
  if (kind === "entity" || kind === "value" || kind === "text") return undefined;
  return kind === "four f32" ? [0, 0, 0, 0] : 0;
}

function rounded(kind: FieldKind, value: FieldValue): FieldValue {
  if (kind === "f32") return Math.fround(value as number);
  if (kind === "four f32") return (value as readonly number[]).map(Math.fround);
  return value; // walks use integers within range for the other kinds
}
