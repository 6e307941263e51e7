import {
  array,
  bool,
  component,
  entity,
  f32,
  f64,
  i8,
  i16,
  i32,
  type KindName,
  type ObjectComponent,
  type Schema,
  type SchemaComponent,
  u8,
  u16,
  u32,
  value,
} from "../../src/index.ts";
import { type Lanes, numbersOf } from "../../src/storage/lanes.ts";

/** A field of every kind, and lists of every width. `any` comes between them. */
export const Everything: SchemaComponent<Schema> = component<Schema>("Everything", {
  f32,
  f64,
  i8,
  u8,
  i16,
  u16,
  i32,
  u32,
  bool,
  entity,
  any: value<unknown>(),
  threeF32: array(f32, 3),
  fiveU8: array(u8, 5),
  twoF64: array(f64, 2),
  threeI16: array(i16, 3),
  sixteenF32: array(f32, 16),
});
export const Thing: ObjectComponent<string> = component<string>("Thing");

/** The extreme values of each kind. */
const reach: { readonly [kind in KindName]: readonly [number, number] } = {
  f32: [Math.fround(-3.4e38), Math.fround(1e-30)],
  f64: [-Number.MAX_VALUE, Number.MIN_VALUE],
  i8: [-128, 127],
  u8: [0, 255],
  i16: [-32_768, 32_767],
  u16: [0, 65_535],
  i32: [-(2 ** 31), 2 ** 31 - 1],
  u32: [0, 2 ** 32 - 1],
  bool: [0, 1],
  entity: [0, Number.MAX_SAFE_INTEGER],
  value: [0, 0],
};

/** The value that place `place` of a field has in row `seed`: different for near rows, and sometimes extreme. */
function fieldValue(kind: KindName, seed: number, place: number): number {
  const number = seed * 7 + place;
  if (seed % 5 === 0) return reach[kind][number % 2]!;
  if (kind === "bool") return number % 2;
  if (kind === "i8") return (number % 255) - 127;
  if (kind === "u8") return number % 256;
  if (kind === "f32") return Math.fround(number / 8);
  if (kind === "i16") return (number % 65_535) - 32_767;
  if (kind === "u16") return number % 65_536;
  if (kind === "f64") return number / 3;
  if (kind === "entity") return number * 2 ** 24 + place;
  return number;
}

/** Fills all columns of a row with values that depend on `seed`; the entity lane is `seed` itself. */
export function writeRow(lanes: Lanes, row: number, seed: number): void {
  lanes.i32[row] = seed;
  for (const { fields } of lanes.plan.columns) {
    for (const field of fields) {
      if (field.slot >= 0) lanes.objects[field.slot]![row] = `${field.name || "thing"} ${seed}`;
      if (field.slot >= 0) continue;
      const numbers = numbersOf(lanes, field);
      const at = field.lane * lanes.stride + row * field.length;
      for (let place = 0; place < field.length; place++)
        numbers[at + place] = fieldValue(field.kind, seed, place);
    }
  }
}

/** All that a row holds, as text: the entity lane, and column by column. */
export function readRow(lanes: Lanes, row: number): string {
  const words: unknown[] = [lanes.i32[row]];
  for (const { fields } of lanes.plan.columns) {
    for (const field of fields) {
      if (field.slot >= 0) words.push(lanes.objects[field.slot]![row]);
      if (field.slot >= 0) continue;
      const at = field.lane * lanes.stride + row * field.length;
      words.push(
        `${field.name}: ${numbersOf(lanes, field)
          .slice(at, at + field.length)
          .join(" ")}`,
      );
    }
  }
  return words.join(", ");
}

/** The result of `readRow` after `writeRow`, computed without any lanes. */
export function rowText(lanes: Lanes, seed: number): string {
  const words: unknown[] = [seed];
  for (const { fields } of lanes.plan.columns) {
    for (const { name, kind, length, slot } of fields) {
      if (slot >= 0) words.push(`${name || "thing"} ${seed}`);
      if (slot >= 0) continue;
      const values = Array.from({ length }, (_, place) => fieldValue(kind, seed, place));
      words.push(`${name}: ${values.join(" ")}`);
    }
  }
  return words.join(", ");
}
