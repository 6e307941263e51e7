// What was found of one parameter and its fields (`ParameterUses`, `FieldUse`).
import type { Node } from "../syntax/nodes.ts";
import type { Variable } from "../syntax/scopes.ts";
import type { Named } from "./edits.ts";
import { INDEX_SHIFT, IS_TRUTH } from "./uses.ts";

/** What a callback does with one field of a parameter. */
export interface FieldUse {
  bits: number;
  /** All that was found so far treats 0 and 1 as `false` and `true`. */
  isTruth: boolean;
  /** The highest index that is known. */
  index: number;
}

/** What was found of one parameter. */
export class ParameterUses {
  readonly variable: Variable;
  readonly named: Named;
  readonly fields: Map<string, FieldUse> = new Map();
  /** Where fields are read or written, except by `?.`. */
  readonly reads: Node[] = [];
  readonly writes: Node[] = [];
  /** Where it is used as a whole. */
  readonly whole: Node[] = [];
  /** It is tested for being there. */
  hasTests = false;
  isWritten = false;
  isBeside = false;

  constructor(variable: Variable, named: Named) {
    this.variable = variable;
    this.named = named;
  }
}

/** Notes that a field is used. @param index a literal one. */
export function note(
  fields: Map<string, FieldUse>,
  field: string,
  bits: number,
  isTruth: boolean,
  index = 0,
): void {
  const known = fields.get(field) ?? { bits: 0, isTruth: true, index: 0 };
  known.bits |= bits;
  known.isTruth &&= isTruth;
  known.index = Math.max(known.index, index);
  fields.set(field, known);
}

/** The bits that compiled code passes for a field. */
export function bitsOf({ bits, isTruth, index }: FieldUse): number {
  return bits | (isTruth ? IS_TRUTH : 0) | (index << INDEX_SHIFT);
}
