import { Any, type AnyKindOfRelation, type Definition, type Entity, type Valued } from "@treeline/core";
import { shown } from "@treeline/core/internal";
import type { Plain, Wrapped } from "../../term/operators.ts";
import type { Order } from "../../term/plan.ts";
import { questionIn, type Reader, refuse, wrap } from "../../term/read.ts";
import { arrange, stopOrdering } from "../order/arrange.ts";
import { engine } from "../state/scene.ts";

/** The fields of a component that can be compared as numbers. */
export type NumberField<Row> = [Row] extends [object]
  ? { readonly [Name in keyof Row]: Row[Name] extends number | boolean ? Name : never }[keyof Row]
  : never;

/** In which direction `orderBy` sorts. */
export interface OrderOptions {
  /** Largest first. Default false. */
  readonly desc?: boolean;
}

/**
 * Visits in the order of a field of the component, or of a comparison of two values; equal ones in the order of their
 * handles' indexes. With `cascade`, depth comes first. It does not ask for the component: those without it come last.
 *
 * Sorted anew when rows moved, or when values were written in a way that `changed` sees. Not noticed are writes to columns
 * that the visit does not declare, or through `locate`, and objects that are changed in place: `markChanged` tells of those.
 * A comparison made on the spot makes another query each time: keep it, or the query.
 *
 * Cost: while nothing changed, a copy of the list of answers. After one change each answer is read again, about a
 * microsecond each, and they are sorted if that matters. Kept until it is disposed: about 100 bytes an answer, and 8 bytes a
 * row of every shape with the component. A query that names an entity keeps nothing, and sorts at each visit.
 *
 * @throws TreelineError `bad-query` for options that are no object; `query` throws it for what cannot be compared.
 */
export function orderBy<Row>(
  what: Valued<Row>,
  by: NumberField<Row> | ((one: Readonly<Row>, other: Readonly<Row>) => number),
  options: OrderOptions = {},
): Wrapped<"orderBy", undefined> {
  if (typeof options !== "object" || options === null)
    refuse(`orderBy takes its options as an object, { desc: true }, not ${shown(options)}`);
  bringOrder();
  return wrap("orderBy", orderReader, [what as Plain], by, options.desc === true);
}

/**
 * Puts entities into groups: by their target of an exclusive relation, or by what a function of the entity gives. Visits come
 * group by group; `group(query, key)` is one of them.
 *
 * A function is asked again when rows came, went or moved, not when a value was written: that puts nobody into another group.
 * Whatever lists answers may ask it, `first` and `count` too. One made on the spot makes another query each time: keep it.
 *
 * Cost: as `orderBy`, without looking at values; `group` by relation looks at that group only.
 *
 * @throws TreelineError `bad-query` for what is neither; `query` throws it for a relation that is not exclusive.
 */
export function groupBy(
  by: AnyKindOfRelation | ((entity: Entity) => unknown),
): Wrapped<"groupBy", undefined> {
  if (typeof by !== "function") refuse(`groupBy(${shown(by)}) needs a relation or function`);
  bringOrder();
  return wrap("groupBy", groupsReader, [], by);
}

/** From now on answers can be put in order, and cut into parts. */
export function bringOrder(): void {
  engine.arrange = arrange;
  engine.stopOrdering = stopOrdering;
}

const orderReader: Reader = {
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

const groupsReader: Reader = {
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
