import { TreelineError } from "@treeline/core";
import { type Shape, shown } from "@treeline/core/internal";
import type { Edition, Editions } from "../visit/editions.ts";

/**
 * After so many rows of one layout its loop is compiled for itself. Until then the shared loop has cost about as much
 * more as a compilation does (measured), so a program whose columns grow all the time pays twice at most.
 */
export const ROWS_BEFORE_OWN: number = 0x4_0000;

/** The editions of a kernel for rows of a shape; none at first. */
export function editionsFor<Loop>({ byKernel }: Editions, kernel: object, shape: Shape): Edition<Loop>[] {
  let byShape = byKernel.get(kernel);
  if (byShape === undefined) {
    byShape = new Map();
    byKernel.set(kernel, byShape);
  }
  let editions = byShape.get(shape) as Edition<Loop>[] | undefined;
  if (editions === undefined) {
    editions = [];
    byShape.set(shape, editions);
  }
  return editions;
}

/**
 * Lists of rows that a kernel comes to in turn, below one shape of ancestors, with one layout of columns: those of the
 * stretches, and rows as they lie, which few entities are visited by.
 */
const KEPT_LISTS = 2;

/** Files an edition; those for older layouts of the same shapes go, and the eldest of those for other lists of rows. */
export function replaceEdition<Loop>(editions: Edition<Loop>[], edition: Edition<Loop>): void {
  const { above, version, aboveVersion } = edition;
  const isOutdated = (one: Edition<Loop>): boolean =>
    one.above === above && (one.version !== version || one.aboveVersion !== aboveVersion);
  for (let at = editions.length - 1; at >= 0; at--) if (isOutdated(editions[at]!)) editions.splice(at, 1);
  const others = editions.filter((one) => one.above === above);
  if (others.length === KEPT_LISTS) editions.splice(editions.indexOf(others[0]!), 1);
  editions.push(edition);
}

/** @throws TreelineError `bad-kernel` unless it is a list of components and a function. */
export function requireKernel(components: unknown, make: unknown): void {
  const strangers = Array.isArray(components)
    ? components.filter((one) => typeof one !== "function" || one.kind !== "component")
    : [components];
  if (strangers.length > 0) {
    throw new TreelineError(
      "bad-kernel",
      `a kernel takes its components as a list, such as [Position, Velocity], not ${shown(strangers[0])}`,
    );
  }
  if (typeof make !== "function") {
    throw new TreelineError(
      "bad-kernel",
      `a kernel takes a function that makes its loop, not ${shown(make)}`,
    );
  }
}

/** @throws TreelineError `bad-kernel` unless the function has made a loop. */
export function requireLoop<Loop>(loop: Loop): Loop {
  if (typeof loop === "function") return loop;
  throw new TreelineError("bad-kernel", `the function of a kernel returns its loop, not ${shown(loop)}`);
}

/** @param isIts the kernel was handed what this visit hands out. @throws TreelineError `bad-kernel` if not. */
export function requireVisited(isIts: boolean, visit: string): void {
  if (isIts) return;
  throw new TreelineError("bad-kernel", `this kernel is a visitor for ${visit}, and for no other visit`);
}

/** In place of an error that a kernel has thrown since it does not see what stands around it; that one is its cause. */
export function explained(error: unknown, isIsolated: boolean): unknown {
  if (!isIsolated || !(error instanceof ReferenceError)) return error;
  const told = new TreelineError(
    "bad-kernel",
    `${error.message} in a kernel, which is compiled by itself and sees its parameters only; hand over what it needs as ` +
      "the last argument",
  );
  told.cause = error;
  return told;
}
