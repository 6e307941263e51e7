import { type Dice, shuffled } from "./dice.ts";

/** Who is moved below whom, one after another: numbers of children and of parents. */
export interface Moves {
  readonly children: Int32Array;
  readonly parents: Int32Array;
}

/** Each child once, in random order, to a random parent, which may be the one it has. */
export function planMoves(childCount: number, parentCount: number, dice: Dice): Moves {
  const children = shuffled(childCount, dice);
  return { children, parents: children.map(() => dice(parentCount)) };
}

/**
 * Goes through the moves, some at each call; from the second time on with other parents. `move` gets the number of the
 * move, not of the child: who has its children in that order reads their handles without jumping about.
 *
 * @returns a function that makes the next `count` moves.
 */
export function moverOf(
  { children, parents }: Moves,
  move: (at: number, parent: number) => void,
): (count: number) => void {
  const { length } = children;
  let at = 0;
  let shift = 0;
  return (count) => {
    for (let made = 0; made < count; made++) {
      const from = at + shift;
      move(at, parents[from < length ? from : from - length]!);
      if (++at < length) continue;
      at = 0;
      shift = (shift + 7_919) % length;
    }
  };
}
