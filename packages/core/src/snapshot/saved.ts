// Copies of records of numbers, lists and maps (`Saved`).

type Numbers =
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

type Values = { [name: string]: unknown; version?: unknown };

function isNumbers(value: unknown): value is Numbers {
  return ArrayBuffer.isView(value);
}

/** Copies into what is kept where its length fits. What is neither a list nor a map is kept by reference. */
function copyOf(value: unknown, kept: unknown): unknown {
  if (isNumbers(value)) {
    if (!isNumbers(kept) || kept.length !== value.length) return value.slice();
    kept.set(value);
    return kept;
  }
  if (Array.isArray(value)) {
    const isDeep = typeof value[0] === "object";
    if (!isDeep && kept === undefined) return value.slice();
    const list = (kept ?? []) as unknown[];
    if (isDeep) for (let at = 0; at < value.length; at++) list[at] = copyOf(value[at], list[at]);
    else copyPart(value, list, value.length);
    list.length = value.length;
    return list;
  }
  if (!(value instanceof Map)) return value;
  const copy = kept instanceof Map ? kept : new Map<unknown, unknown>();
  copy.clear();
  for (const [key, one] of value) copy.set(key, copyOf(one, undefined));
  return copy;
}

/** A copy of the first values of a list, in `kept` if that is long enough; no longer than that. */
export function copyList(list: readonly unknown[], kept: unknown[] | undefined, count: number): unknown[] {
  if (kept === undefined || kept.length < count) return list.slice(0, count);
  copyPart(list, kept, count);
  kept.length = count;
  return kept;
}

export function copyPart(list: readonly unknown[], to: unknown[], count: number): void {
  for (let at = 0; at < count; at++) to[at] = list[at];
}

/**
 * The values of some properties of a record: numbers, typed arrays, lists, maps, and references. Typed arrays are copied into the
 * arrays of the last capture if these are as long.
 */
export class Saved {
  readonly record: Values;
  private readonly names: readonly string[];
  private readonly values: unknown[] = [];
  /** By name: the arrays that replace those of another length. */
  private fresh: unknown[] = [];
  /** The version of a record that has one, and changes only together with it. */
  private version: unknown = undefined;
  private readonly isVersioned: boolean;

  /** @param names of properties; all by default. @param isVersioned the record has a `version`, which increases with every change. */
  constructor(record: object, names: readonly string[] = Object.keys(record), isVersioned = false) {
    this.record = record as Values;
    this.names = names;
    this.isVersioned = isVersioned;
  }

  private get isSame(): boolean {
    return this.isVersioned && this.version === this.record.version;
  }

  capture(): void {
    const { record, names, values } = this;
    if (this.isSame) return;
    for (let at = 0; at < names.length; at++) values[at] = copyOf(record[names[at]!], values[at]);
    this.version = record.version;
  }

  /** Allocates what `restore` needs. */
  prepare(): void {
    const { record, names, values } = this;
    this.fresh = values.map((value, at) => {
      const live = record[names[at]!];
      return isNumbers(value) && (!isNumbers(live) || live.length !== value.length)
        ? value.slice()
        : undefined;
    });
  }

  restore(): void {
    const { record, names, values, fresh } = this;
    if (this.isSame) return;
    for (let at = 0; at < names.length; at++) {
      const name = names[at]!;
      // A map and a list stay the same objects, which others may hold.
      record[name] = fresh[at] ?? copyOf(values[at], record[name]);
    }
    this.fresh = [];
    if (!this.isVersioned) return;
    (record.version as number)++;
    this.version = record.version;
  }

  get bytes(): number {
    return bytesOf(this.values);
  }
}

/** Bytes of typed arrays, and eight for each element of lists and maps. */
function bytesOf(values: Iterable<unknown>): number {
  let bytes = 0;
  for (const value of values) {
    if (isNumbers(value)) bytes += value.byteLength;
    else if (value instanceof Map) bytes += value.size * 16 + bytesOf(value.values());
    else if (Array.isArray(value))
      bytes += value.length * 8 + (typeof value[0] === "object" ? bytesOf(value) : 0);
  }
  return bytes;
}
