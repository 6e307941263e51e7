// `withTransient`: which components are in no document, and keep their values in `restore`; throws `bad-definition`.
import { type Definition, definitions, TreelineError, type World } from "@treeline/core";
import { keepValues } from "@treeline/core/internal";

const transients = /* @__PURE__ */ new WeakSet<object>();

/** Keeps the values of transient components; installed by `withTransient`. */
export const transientWork: { keep: ((world: World) => () => void) | undefined } = { keep: undefined };

/**
 * Makes a component transient: what is shown or derived, not simulated, such as a mesh or an interpolated place. `restore` leaves its
 * values as they are on entities that have it now and had it at the snapshot, and `checksum` does not count them. Who has it is
 * state as for any component. Documents leave it out, and so does `hashOf`.
 *
 * @returns the component.
 * @throws TreelineError `bad-definition` for what is not a component with values.
 *
 * @example
 * const Shown = withTransient(component("Shown", { x: 0, y: 0 }));
 */
export function withTransient<D extends Definition>(component: D): D {
  const { kind, holds } = Object(component) as Partial<Definition>;
  if (kind !== "component" || holds === "nothing") {
    let text = "withTransient takes a component that has values";
    CHECK: if (kind === "tag") text += "; the option components of toDocument leaves tags out of documents";
    throw new TreelineError("bad-definition", text);
  }
  transients.add(component);
  transientWork.keep = (world) => keepValues(world, definitions(world).filter(isTransient));
  return component;
}

export function isTransient(definition: object): boolean {
  return transients.has(definition);
}
