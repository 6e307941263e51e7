import { TreelineError } from "../base/error.ts";
import { Any, type Definition, isDefinition, type OnDeath } from "./definition.ts";

/**
 * Says, once, what happens to those who have the definition when the entity that stands for it dies: they lose it
 * (default), die as well, or refuse the death while there are any.
 *
 * @throws TreelineError `bad-definition` for an unknown policy, or if the definition has one already.
 */
export function withPolicy<D extends Definition>(definition: D, policy: { readonly onDeath: OnDeath }): D {
  const onDeath = policy?.onDeath;
  if (!isDefinition(definition) || (definition as Definition) === Any) {
    throw new TreelineError("bad-definition", "withPolicy takes a component, a tag or a relation");
  }
  if (definition.onDeath !== undefined) {
    throw new TreelineError("bad-definition", `${definition.name} has a policy already; give it once`);
  }
  if (onDeath !== "remove" && onDeath !== "delete" && onDeath !== "refuse") {
    throw new TreelineError(
      "bad-definition",
      `${definition.name}: onDeath is "remove", "delete" or "refuse"`,
    );
  }
  definition.onDeath = onDeath;
  return definition;
}
