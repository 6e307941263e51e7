import type { Variable } from "@treeline/core";
import { ANY } from "@treeline/core/internal";

/** Numbers variables downwards from the wildcard; handles are positive. Names serve messages only. */
const names: string[] = [];

/** The next number; for users there is `variable`. */
export function numberVariable(name: string): Variable {
  names.push(name);
  return (ANY - names.length) as Variable;
}

/** Takes anything. */
export function isVariable(what: unknown): what is Variable {
  return typeof what === "number" && what < ANY && what >= ANY - names.length && Number.isInteger(what);
}

export function nameOfVariable(what: Variable): string {
  return names[ANY - what - 1] ?? "variable";
}
