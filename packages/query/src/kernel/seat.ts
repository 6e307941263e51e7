import { type Component, TreelineError } from "@treeline/core";
import { shown } from "@treeline/core/internal";
import type { Seat, Seats } from "../visit/seats.ts";

/**
 * After so many rows of one layout its loop is compiled for itself. Until then the shared loop has cost about as much
 * more as a compilation does (measured), so a program whose columns grow all the time pays twice at most.
 */
export const ROWS_BEFORE_OWN: number = 1 << 18;

/** The seats of a kernel; none at first. */
export function seatsOf<Loop>({ byKernel }: Seats, kernel: object): Seat<Loop>[] {
  const known = byKernel.get(kernel) as Seat<Loop>[] | undefined;
  if (known !== undefined) return known;
  const fresh: Seat<Loop>[] = [];
  byKernel.set(kernel, fresh);
  return fresh;
}

/** Takes a seat for a layout; the one for an older layout of the same shapes goes. */
export function replaceSeat<Loop>(seats: Seat<Loop>[], seat: Seat<Loop>): void {
  const at = seats.findIndex(({ shape, above }) => shape === seat.shape && above === seat.above);
  if (at < 0) seats.push(seat);
  else seats[at] = seat;
}

/** @throws TreelineError `bad-kernel` unless it is a list of components and a function. */
export function requireKernel(components: readonly Component[], make: unknown): void {
  const stranger = Array.isArray(components)
    ? components.find((one) => typeof one !== "function" || (one as { kind?: unknown }).kind !== "component")
    : components;
  if (stranger !== undefined || !Array.isArray(components)) {
    throw new TreelineError(
      "bad-kernel",
      `a kernel takes its components as a list, such as [Position, Velocity], not ${shown(stranger)}`,
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

/** In place of an error that a kernel has thrown since it does not see what stands around it. */
export function explained(error: unknown, isIsolated: boolean): unknown {
  if (!isIsolated || !(error instanceof ReferenceError)) return error;
  return new TreelineError(
    "bad-kernel",
    `${error.message} in a kernel, which is compiled by itself and sees its parameters only; hand over what it needs as ` +
      "the last argument",
  );
}
