// Finds import circles.

/**
 * Every group of files that reach one another, each as one cycle: ["a", "b", "a"].
 *
 * @param edges Map from a file to the files it imports.
 */
export function circlesIn(edges) {
  const circles = [];
  const found = new Set();
  for (const start of edges.keys()) {
    if (found.has(start)) continue;
    const cycle = shortestCycle(edges, start);
    if (!cycle) continue;
    circles.push(cycle);
    for (const file of cycle) found.add(file);
  }
  return circles;
}

/** Breadth first from `start` until it is reached again. */
function shortestCycle(edges, start) {
  const cameFrom = new Map();
  const queue = [start];
  for (const file of queue) {
    for (const next of edges.get(file) ?? []) {
      if (next === start) {
        const cycle = [start];
        for (let step = file; step !== undefined; step = cameFrom.get(step)) cycle.unshift(step);
        return cycle;
      }
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, file);
      queue.push(next);
    }
  }
  return undefined;
}
