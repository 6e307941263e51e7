import { clip, grouped, visible } from "../text/text.ts";

/** How the drawing asks about a tree; it knows neither worlds nor files. */
export interface TreeSource<Item> {
  childrenOf(item: Item): readonly Item[];
  nameOf(item: Item): string;
  /** Everything below, not the item itself. */
  countBelow(item: Item): number;
}

export interface DrawOptions {
  /** Levels to draw, at least 1. */
  readonly depth: number;
  /** Columns of the widest line. */
  readonly width: number;
  /** Siblings drawn before the rest is only counted. */
  readonly siblings: number;
}

/** Columns a line keeps at least for a name and what is said behind it; levels that would leave less are counted. */
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
    // One hidden sibling would take the same line as saying so.
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
