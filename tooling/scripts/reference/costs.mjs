// Whether doc comments say what functions cost.
import { tagsOf } from "./comments.mjs";
import { parametersOfFunction } from "./exports.mjs";

/** What takes one of these may depend on how much there is of it: the comment says on what, or that it is constant. */
const COSTS = /\b(?:World|Query|SnapshotRing|CommandBuffer)\b/;

export function problemsOfCosts(all) {
  return all
    .filter(
      (one) =>
        one.kind === "function" && parametersOfFunction(one).some(({ type }) => COSTS.test(type ?? "")),
    )
    .filter(({ comment }) => tagsOf(comment, "cost").length === 0)
    .map(
      ({ name, source }) =>
        `${name} of ${source} does not say what it costs: @cost constant., or on what it depends`,
    );
}
