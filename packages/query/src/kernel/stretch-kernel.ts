import type { Component } from "@treeline/core";
import { createEditions, type Edition } from "../visit/editions.ts";
import { Stretch } from "../visit/stretch.ts";
import { callLoop, keepLoopsApart, type StretchLoop } from "./call-loop.ts";
import {
  editionsFor,
  explained,
  ROWS_BEFORE_OWN,
  replaceEdition,
  requireKernel,
  requireLoop,
  requireVisited,
} from "./edition.ts";
import { type Maker, makerOf } from "./isolate.ts";
import type { ColumnsOf } from "./run-kernel.ts";

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

type MakeStretchLoop<Own extends readonly Component[], Above extends readonly Component[], Given> = (
  own: ColumnsOf<Own>,
  above: ColumnsOf<Above> | undefined,
  lists: StretchLists,
  given: Given,
) => StretchLoop;

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
  keepLoopsApart();
  const kernel = {
    own: [...components.own] as unknown as Own,
    above: [...components.above] as unknown as Above,
    maker: makerOf<MakeStretchLoop<Own, Above, Given>>(make),
    given: given[0] as Given,
  };
  return (stretch) => {
    let edition = stretch.editions?.edition as Edition<StretchLoop> | undefined;
    const isSame = edition !== undefined && stretch.editions!.kernel === kernel && isFor(edition, stretch);
    const { from, to } = stretch;
    try {
      if (!isSame) edition = editionFor(kernel, stretch);
      if (edition!.left > 0) countRows(kernel, stretch, edition!, to - from);
      callLoop(edition!.loop, from, to);
    } catch (error) {
      throw explained(error, kernel.maker.isIsolated);
    }
  };
}

function isFor(edition: Edition<StretchLoop>, stretch: Stretch): boolean {
  const { shape, version, above, aboveVersion } = edition;
  const holder = stretch.shapeOfParents();
  return (
    edition.rows === stretch.rows &&
    edition.parentRows === stretch.parentRows &&
    shape === stretch.shapeOfRows() &&
    version === shape.lanes.version &&
    above === holder &&
    (holder === undefined || aboveVersion === holder.lanes.version)
  );
}

interface Kernel<Own extends readonly Component[], Above extends readonly Component[], Given> {
  readonly own: Own;
  readonly above: Above;
  readonly maker: Maker<MakeStretchLoop<Own, Above, Given>>;
  readonly given: Given;
}

/** The edition for the stretch's layouts, made if there is none. */
function editionFor<Own extends readonly Component[], Above extends readonly Component[], Given>(
  kernel: Kernel<Own, Above, Given>,
  stretch: Stretch,
): Edition<StretchLoop> {
  requireVisited(stretch instanceof Stretch, "eachStretch");
  stretch.editions ??= createEditions();
  const known = stretch.editions;
  const shape = stretch.shapeOfRows();
  const editions = editionsFor<StretchLoop>(known, kernel, shape);
  let edition = editions.find((one) => isFor(one, stretch));
  if (edition === undefined) {
    const above = stretch.shapeOfParents();
    const loop = loopOf(kernel, kernel.maker.shared, stretch);
    const aboveVersion = above?.lanes.version ?? 0;
    edition = {
      shape,
      version: shape.lanes.version,
      above,
      aboveVersion,
      rows: stretch.rows,
      parentRows: stretch.parentRows,
      loop,
      all: undefined,
      left: ROWS_BEFORE_OWN,
    };
    replaceEdition(editions, edition);
  }
  known.kernel = kernel;
  known.edition = edition;
  return edition;
}

function countRows<Own extends readonly Component[], Above extends readonly Component[], Given>(
  kernel: Kernel<Own, Above, Given>,
  stretch: Stretch,
  edition: Edition<StretchLoop>,
  rows: number,
): void {
  edition.left -= rows;
  if (edition.left <= 0 && kernel.maker.isIsolated)
    edition.loop = loopOf(kernel, kernel.maker.own(), stretch);
}

function loopOf<Own extends readonly Component[], Above extends readonly Component[], Given>(
  { own, above, given }: Kernel<Own, Above, Given>,
  make: MakeStretchLoop<Own, Above, Given>,
  stretch: Stretch,
): StretchLoop {
  const columns = own.map((one) => stretch.columns(one)) as unknown as ColumnsOf<Own>;
  const others = stretch.hasParents
    ? (above.map((one) => stretch.parentColumns(one)) as unknown as ColumnsOf<Above>)
    : undefined;
  const { rows, parentRows } = stretch;
  return requireLoop(make(columns, others, { rows, parentRows }, given));
}
