import { shown, TreelineError } from "../base/error.ts";
import { type Component, type Definition, isDefinition } from "../id/definition.ts";
import { bringTelling } from "../world/change/bring.ts";
import type { Hooks } from "../world/state/hooks.ts";

/**
 * Attaches hooks to a component, once and before the component is used.
 *
 * @throws TreelineError `bad-definition` if it has hooks already, or if `identifies` is neither of its words.
 */
export function withHooks<Row, C extends Component<Row>>(
  definition: C & Component<Row>,
  hooks: Hooks<Row>,
): C {
  if (!isDefinition(definition) || (definition as Definition).kind !== "component" || !hooks) {
    throw new TreelineError("bad-definition", "withHooks takes a component, and an object of hooks");
  }
  if (definition.hooks !== undefined) {
    throw new TreelineError(
      "bad-definition",
      `${definition.name} has hooks already; pass all of them in one call`,
    );
  }
  const { identifies } = hooks;
  if (identifies !== undefined && identifies !== "siblings" && identifies !== "world") {
    throw new TreelineError(
      "bad-definition",
      `identifies is "siblings" or "world", not ${shown(identifies)}; leave it out for values that clones share`,
    );
  }
  definition.hooks = hooks;
  definition.brings = bringTelling;
  return definition;
}
