import type { Column, LaneField } from "./lane-plan.ts";
import { clearRow, copyNumbers, type Lanes } from "./lanes.ts";

/** Which lanes of a row go where when it moves to another shape. Columns of pairs with data are not in it. */
export interface MovePlan {
  /** One-number lanes of four bytes: [from, to, from, to, ...], the entity lane left out. */
  readonly four: Int32Array;
  /** All other fields. */
  readonly fields: readonly { readonly from: LaneField; readonly to: LaneField }[];
  /** Slots of JavaScript values: [from, to, ...]. */
  readonly objects: readonly number[];
  /** The destination has columns that the origin does not fill: they get their defaults first. */
  readonly clears: boolean;
  /** Nothing else is copied than `four`. */
  readonly isFour: boolean;
}

/** `pairs` of columns say what goes where; what of `to` is not named gets its default. */
export function planMove(pairs: readonly { from: Column; to: Column }[], all: number): MovePlan {
  const four: number[] = [];
  const fields: { from: LaneField; to: LaneField }[] = [];
  const objects: number[] = [];
  for (const { from, to } of pairs) {
    if (from.objectSlot >= 0) objects.push(from.objectSlot, to.objectSlot);
    for (let at = 0; at < from.fields.length; at++) {
      const source = from.fields[at]!;
      const target = to.fields[at]!;
      if (source.width === 4 && source.length === 1) four.push(source.lane, target.lane);
      else fields.push({ from: source, to: target });
    }
  }
  return {
    four: Int32Array.from(four),
    fields,
    objects,
    clears: pairs.length < all,
    isFour: fields.length + objects.length === 0,
  };
}

/** Copies one row between lanes of two plans, without the entity's index. */
export function copyAcross(plan: MovePlan, source: Lanes, from: number, target: Lanes, to: number): void {
  if (plan.clears) clearRow(target, to);
  const { four } = plan;
  const read = source.i32;
  const write = target.i32;
  const { length } = four;
  const readStride = source.stride;
  const writeStride = target.stride;
  for (let at = 0; at < length; at += 2) {
    write[four[at + 1]! * writeStride + to] = read[four[at]! * readStride + from]!;
  }
  if (plan.isFour) return;
  for (const field of plan.fields) copyNumbers(source, field.from, from, target, field.to, to);
  for (let at = 0; at < plan.objects.length; at += 2) {
    target.objects[plan.objects[at + 1]!]![to] = source.objects[plan.objects[at]!]![from];
  }
}
