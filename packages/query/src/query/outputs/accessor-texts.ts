import type { Marks, RowPointer } from "./marks.ts";
import { Texts } from "./texts.ts";

export interface Accessor {
  readonly read: () => unknown;
  readonly write: (value: never) => void;
}

/** Makes what reads and writes a number: the element of an array at the pointer's row. */
export type NumberAccessorOf = (
  cell: { readonly data: { [row: number]: number } },
  at: RowPointer,
  marks: Marks,
) => Accessor;

/** For fields, one by one. */
// biome-ignore format: one line for each copy
export const ACCESSORS: Texts<NumberAccessorOf> = /* @__PURE__ */ new Texts<NumberAccessorOf>(() => [
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
  (c, p, m) => ({ read: () => c.data[p.row], write: (v: number) => { c.data[p.row] = v; if (m.track !== undefined) m.mark(); } }),
]);
