// Trees of any items as a drawing (`drawTrees`); only counts levels with less room than `NARROWEST_LINE`.
import { clip, grouped, visible } from "../text/text.ts";

/** What the drawing needs to know of a tree. */
export interface TreeSource<Item> {
  childrenOf(item: Item): readonly Item[];
  nameOf(item: Item): string;
  /** The number of items below, without the item itself. */
  countBelow(item: Item): number;
}

export interface DrawOptions {
  /** Levels to draw, at least 1. */
  readonly depth: number;
  /** Columns of the widest line. */
  readonly width: number;
  /** The most siblings that are drawn; the rest are only counted. */
  readonly siblings: number;
}

/** The fewest columns of a line for a name and the count after it; levels with less room are only counted. */
const NARROWEST_LINE = 24;
const STEP = 3; // columns per level

/** Draws trees with box characters, one line per item, in the order given. */
export function drawTrees<Item>(
  roots: readonly Item[],
  source: TreeSource<Item>,
  options: DrawOptions,
): string[] {
  const lines: string[] = [];
  const deepest = Math.max(1, Math.min(options.depth, Math.floor((options.width - NARROWEST_LINE) / STEP)));
  drawSiblings(roots, "", 1);
  return lines;

  function drawSiblings(items: readonly Item[], indent: string, level: number): void {
    // A note about one omitted sibling would need the same line as the sibling.
    const shown = items.length <= options.siblings + 1 ? items.length : options.siblings;
    for (const [at, item] of items.slice(0, shown).entries()) {
      const last = at === items.length - 1;
      const deeper = source.childrenOf(item);
      const hidden =
        level >= deepest && deeper.length > 0 ? ` … ${grouped(source.countBelow(item))} below` : "";
      const room = options.width - indent.length - STEP - hidden.length;
      lines.push(`${indent}${last ? "└─ " : "├─ "}${clip(visible(source.nameOf(item)), room)}${hidden}`);
      if (hidden === "") drawSiblings(deeper, `${indent}${last ? "   " : "│  "}`, level + 1);
    }
    if (shown < items.length) lines.push(`${indent}└─ … ${grouped(items.length - shown)} more`);
  }
}
