// Which paths complete a typed line (`completionsOf`).
import { children, lookup, roots, TreelineError, type World } from "treeline";
import { stepOf } from "../tree/kinds.ts";

/**
 * Completions of a command: the paths that begin with the path typed so far, and that path. Paths of entities with children
 * end with a slash.
 */
export function completionsOf(world: World, line: string): [paths: string[], begun: string] {
  const path = /^(?:(?:find|glob|below)\s+)?(.*)$/s.exec(line)![1]!;
  const cut = lastSeparator(path);
  const above = path.slice(0, cut + 1);
  const begun = path.slice(cut + 1);
  const below = childrenAt(world, above.replace(/\/$/, ""));
  const steps = below.map((child) => {
    return `${stepOf(world, child)}${children(world, child).length > 0 ? "/" : ""}`;
  });
  return [steps.filter((step) => step.startsWith(begun)).map((step) => above + step), path];
}

/** Position of the last "/" that is not escaped; -1 if there is none. */
function lastSeparator(path: string): number {
  let last = -1;
  for (let at = 0; at < path.length; at++) {
    if (path[at] === "\\") at += 1;
    else if (path[at] === "/") last = at;
  }
  return last;
}

function childrenAt(world: World, path: string): ReturnType<typeof children> {
  if (path === "") return roots(world);
  try {
    const entity = lookup(world, path);
    return entity === undefined ? [] : children(world, entity);
  } catch (error) {
    if (error instanceof TreelineError) return [];
    throw error;
  }
}
