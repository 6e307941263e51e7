import { Any, type Definition } from "@treeline/core";
import { shown } from "@treeline/core/internal";
import { questionIn, type Reader, refuse } from "./draft.ts";
import type { Order } from "./plan.ts";

/** Reads `orderBy`. */
export const orderReader: Reader = {
  demand(draft, { of, by, isDescending }) {
    if (draft.order !== undefined) refuse("a query takes one orderBy");
    const { definition, target } = questionIn(draft, of[0]);
    const field = definition.fields.find(([name]) => name === by)?.[1];
    if (definition.kind !== "component" || definition.holds === "nothing")
      refuse("orderBy takes a component that has values");
    if (typeof by !== "function" && (field === undefined || field.isList || field.kind === "entity")) {
      refuse(
        `orderBy(${definition.name}, ${shown(by)}) needs the name of a field that holds one number, or a comparison`,
      );
    }
    draft.order = { definition, target, by: by as Order["by"], isDescending };
  },
};

/** Reads `groupBy`. */
export const groupsReader: Reader = {
  demand(draft, { by }) {
    if (draft.groups !== undefined) refuse("a query takes one groupBy");
    const relation = by as Definition;
    const { kind, exclusive, name } = relation;
    if (kind === undefined) {
      draft.groups = { by: "key", keyOf: by as () => unknown };
      return;
    }
    if (kind !== "relation" || !exclusive || by === Any) {
      refuse(`groupBy(${name}) needs an exclusive relation, or a function of the entity`);
    }
    draft.groups = { by: "target", relation };
  },
};
