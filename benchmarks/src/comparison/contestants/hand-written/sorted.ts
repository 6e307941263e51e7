/**
 * Hand-written: nodes in arrays that are sorted level by level, each with its parent's place beside it. The lower bound of
 * `cascade` if nodes may be in any order; after a move, the arrays must be sorted again.
 */
import { levelOrder, treeOf } from "../../../fixtures/trees.ts";
import { sumOfPlaces } from "../../workloads/inputs.ts";
import type { Subject, Subjects } from "../../workloads/subject.ts";
import type { Given } from "../../workloads/workloads.ts";
import { frame } from "./sorted-frame.ts";

function cascade({ tree: name }: Given<"cascade">): Subject {
  const tree = treeOf(name);
  const { length } = tree;
  const order = levelOrder(tree);
  /** Node -> its place. */
  const places = new Int32Array(length);
  order.forEach((node, place) => {
    places[node] = place;
  });
  /** Place -> the parent's place; -1 for roots, which come first. */
  const parents = order.map((node) => (tree[node]! < 0 ? -1 : places[tree[node]!]!));
  const lx = Float32Array.from(order, (node) => 1 + (node % 3));
  const ly = new Float32Array(length).fill(1);
  const wx = new Float32Array(length);
  const wy = new Float32Array(length);
  return {
    run: () => {
      for (let place = 0; place < length; place++) {
        const above = parents[place]!;
        wx[place] = above < 0 ? lx[place]! : wx[above]! + lx[place]!;
        wy[place] = above < 0 ? ly[place]! : wy[above]! + ly[place]!;
      }
    },
    checksum: () =>
      sumOfPlaces(
        length,
        (node) => wx[places[node]!]!,
        (node) => wy[places[node]!]!,
      ),
  };
}

export const subjects: Subjects = { cascade, frame };
