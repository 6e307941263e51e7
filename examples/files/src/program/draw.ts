// The tree as a drawing (`drawTree`); shows `SIBLINGS_SHOWN` siblings, and only counts levels with less room than `NARROWEST_LINE`.
import { children, descendants, type Entity, get, Name, roots, type World } from "treeline";
import { clip, grouped, visible } from "../text/text.ts";

/** The most siblings that are drawn; the rest are only counted. */
const SIBLINGS_SHOWN = 6;
/** The fewest columns of a line for a name and the count after it; levels with less room are only counted. */
const NARROWEST_LINE = 24;
const STEP = 3; // columns per level

/** Draws the tree with box characters, one line per entity. */
export function drawTree(world: World, depth: number, width: number): string[] {
  const lines: string[] = [];
  const deepest = Math.min(depth, Math.floor((width - NARROWEST_LINE) / STEP));
  if (depth > 0) drawSiblings(roots(world), "", 1);
  return lines;

  function drawSiblings(siblings: readonly Entity[], indent: string, level: number): void {
    // A note about one omitted sibling would need the same line as the sibling.
    const shown = siblings.length <= SIBLINGS_SHOWN + 1 ? siblings.length : SIBLINGS_SHOWN;
    for (const [at, entity] of siblings.slice(0, shown).entries()) {
      const isLast = at === siblings.length - 1;
      const below = children(world, entity);
      const isCut = below.length > 0 && level >= deepest;
      const hidden = isCut ? ` … ${grouped(descendants(world, entity).length)} below` : "";
      const name = clip(visible(get(world, entity, Name)!), width - indent.length - STEP - hidden.length);
      lines.push(`${indent}${isLast ? "└─ " : "├─ "}${name}${hidden}`);
      if (!isCut) drawSiblings(below, `${indent}${isLast ? "   " : "│  "}`, level + 1);
    }
    if (shown < siblings.length) lines.push(`${indent}└─ … ${grouped(siblings.length - shown)} more`);
  }
}
