// How distances and places are written (`distanceText`, `placeText`).
import type { Place } from "./move-below.ts";
import { AU } from "./orbits.ts";

/** A distance in the unit that people would use. */
export function distanceText(metres: number): string {
  if (metres < 1e-3) return `${Number(metres.toPrecision(2))} m`;
  if (metres < 10_000) return `${Number(metres.toFixed(3))} m`;
  if (metres < AU / 10) return `${Math.round(metres / 1_000).toLocaleString("en")} km`;
  return `${(metres / AU).toFixed(3)} AU`;
}

const toTheMetre = { minimumFractionDigits: 3, maximumFractionDigits: 3 };

/** A place in kilometres, to the metre. */
export function placeText(place: Place): string {
  const parts = place.map((metres) => (metres / 1_000).toLocaleString("en", toTheMetre));
  return `x ${parts[0]} y ${parts[1]} z ${parts[2]} km`;
}
