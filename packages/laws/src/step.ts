/** One step of a walk as plain data: it can be kept, printed, taken out and played again. */
import type { SlowTerm, Twin } from "./slow-world.ts";

/** One clause of a question asked of both worlds. */
export interface AskTerm {
  readonly kind: "with" | "not" | "maybe" | "cascade";
  readonly what: string;
  readonly target?: Twin | "Any";
}

export type Step =
  | { readonly verb: "spawn"; readonly born: readonly Twin[]; readonly terms: readonly SlowTerm[] }
  | { readonly verb: "spawnMany"; readonly born: readonly Twin[]; readonly terms: readonly SlowTerm[] }
  | { readonly verb: "add"; readonly entity: Twin; readonly terms: readonly SlowTerm[] }
  | { readonly verb: "remove"; readonly entity: Twin; readonly what: string; readonly target?: Twin | "Any" }
  | { readonly verb: "set"; readonly entity: Twin; readonly term: SlowTerm }
  | { readonly verb: "rename"; readonly entity: Twin; readonly name: string }
  | { readonly verb: "destroy"; readonly entity: Twin }
  | { readonly verb: "release"; readonly entity: Twin }
  | { readonly verb: "pack" }
  /** So many entities live and die, so that indexes are used again. */
  | { readonly verb: "wear"; readonly count: number }
  /** Writes values through the row views of a visit. */
  | { readonly verb: "drift"; readonly by: number }
  /** Tries a structural change while visiting. */
  | { readonly verb: "meddle"; readonly step: Step }
  /** Several steps without looking at the worlds in between. */
  | { readonly verb: "burst"; readonly steps: readonly Step[] }
  /** Forgets the long-lived query in a slot and asks another one there. */
  | { readonly verb: "ask"; readonly slot: number; readonly terms: readonly AskTerm[] };

/** The step as an expression that can be pasted into a test. */
export function stepText(step: Step): string {
  return textOf(step);
}

/** Like JSON, but keeps NaN, infinities and -0. */
export function textOf(value: unknown): string {
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (value === undefined) return "undefined";
  if (Array.isArray(value) || ArrayBuffer.isView(value)) {
    return `[${Array.from(value as readonly unknown[], textOf).join(", ")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const parts = Object.entries(value).map(([key, held]) => `${key}: ${textOf(held)}`);
    return `{ ${parts.join(", ")} }`;
  }
  return JSON.stringify(value);
}
