import { type Draft, questionIn, type Reader, readerOf, refuse } from "./draft.ts";
import { isWrapped, type Wrapped } from "./operators.ts";
import type { Watched } from "./plan.ts";

/** Reads `changed`, `added` and `removed`. */
export const changesReader: Reader = {
  test(draft, { operator, of }) {
    const what = of[0]!;
    const wayFor = isWrapped(what) ? readerOf(what).way : undefined;
    const question = questionIn(draft, wayFor === undefined ? what : (what as Wrapped).of[0]);
    const { definition } = question;
    if (definition.kind === "relation" || (operator === "changed" && definition.holds === "nothing")) {
      refuse(
        `${operator}(${definition.name}) needs a component${operator === "changed" ? " that has values" : " or tag"}`,
      );
    }
    if (wayFor === undefined) {
      draft.named.push(question);
      const track = operator === "changed" ? "changed" : operator === "added" ? "added" : "removed";
      return { kind: "changed", definition, track };
    }
    if (operator !== "changed") refuse(`${operator} is about entities themselves; use changed(up(...))`);
    const way = wayFor(draft, what as Wrapped);
    return { kind: "changed above", ...way, note: watch(draft, way) };
  },
};

/** The place of a way among those of which changes are asked. */
function watch({ watched }: Draft, { way, self, definition }: Watched): number {
  const known = watched.findIndex((one) => one.way === way && one.self === self);
  return known >= 0 ? known : watched.push({ way, self, definition }) - 1;
}
