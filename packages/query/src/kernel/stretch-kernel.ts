import type { Component } from "@treeline/core";
import { Stretch } from "../visit/stretch.ts";
import { type ColumnsOf, callLoop, editionOf, explained, requireKernel, requireLoop } from "./edition.ts";
import { makerOf } from "./isolate.ts";

/** Goes through the positions `from <= at < to` of a stretch's lists. A long stretch comes in pieces. */
export type StretchLoop = (from: number, to: number) => void;

/** Which columns a stretch kernel is given. */
export interface StretchComponents<Own extends readonly Component[], Above extends readonly Component[]> {
  /** Of the rows. */
  readonly own: Own;
  /** Of their parents: the nearest ancestors of the query's first term `cascade`, `up` or `selfOrUp`. */
  readonly above: Above;
}

/** Position -> absolute row, as `stretch.rows` and `stretch.parentRows` have them. */
export interface StretchLists {
  readonly rows: Int32Array;
  /** Not to be read without parents. */
  readonly parentRows: Int32Array;
}

/**
 * The same as `runKernel` for `eachStretch`: a visitor whose loop is compiled for each layout of columns, with the typed arrays
 * of rows and parents, and the lists that say which rows, as constants.
 *
 * @param make takes the columns of rows and parents, the lists, and `given`. It is called once for rows that have parents, and
 *   once with `above` undefined for those that have none, such as roots; and again for other layouts, and longer lists.
 * @throws TreelineError as `runKernel` does.
 *
 * @example
 * const place = stretchKernel({ own: [Local, World], above: [World] }, ([local, world], above, { rows, parentRows }) => {
 *   const { x: lx } = local;
 *   const { x: wx } = world;
 *   if (above === undefined) {
 *     return (from, to) => {
 *       for (let at = from; at < to; at++) wx[rows[at]!] = lx[rows[at]!]!;
 *     };
 *   }
 *   const { x: ax } = above[0];
 *   return (from, to) => {
 *     for (let at = from; at < to; at++) wx[rows[at]!] = ax[parentRows[at]!]! + lx[rows[at]!]!;
 *   };
 * });
 * eachStretch(placing, place);
 */
export function stretchKernel<
  const Own extends readonly Component[],
  const Above extends readonly Component[],
  Given = undefined,
>(
  components: StretchComponents<Own, Above>,
  make: (
    own: ColumnsOf<Own>,
    above: ColumnsOf<Above> | undefined,
    lists: StretchLists,
    given: Given,
  ) => StretchLoop,
  ...given: Given extends undefined ? [] : [given: Given]
): (stretch: Stretch) => void {
  requireKernel(components?.own, make);
  requireKernel(components.above, make);
  const own = [...components.own];
  const above = [...components.above];
  const maker = makerOf(make);
  const kernel = {
    maker,
    of: Stretch,
    by: "eachStretch",
    loopOf: (from: typeof make, stretch: Stretch) => {
      const columns = own.map((one) => stretch.columns(one)) as unknown as ColumnsOf<Own>;
      const others = stretch.hasParents
        ? (above.map((one) => stretch.parentColumns(one)) as unknown as ColumnsOf<Above>)
        : undefined;
      const { rows, parentRows } = stretch;
      return requireLoop(from(columns, others, { rows, parentRows }, given[0] as Given));
    },
  };
  return (stretch) => {
    const { from, to } = stretch;
    try {
      const edition = editionOf(kernel, stretch);
      if (edition.left > 0) {
        edition.left -= to - from;
        if (edition.left <= 0 && maker.isIsolated) edition.loop = kernel.loopOf(maker.own(), stretch);
      }
      callLoop(edition.loop, from, to);
    } catch (error) {
      throw explained(error, maker.isIsolated);
    }
  };
}
