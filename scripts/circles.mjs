// Finds import circles.

/**
 * Every group of files that reach one another, each as one way round: ["a", "b", "a"].
 *
 * @param edges Map from a file to the files it imports.
 */
export function circlesIn(edges) {
  const circles = [];
  const told = new Set();
  for (const start of edges.keys()) {
    if (told.has(start)) continue;
    const way = shortestWayBack(edges, start);
    if (!way) continue;
    circles.push(way);
    for (const file of way) told.add(file);
  }
  return circles;
}

/** Breadth first from `start` until it is met again. */
function shortestWayBack(edges, start) {
  const cameFrom = new Map();
  const queue = [start];
  for (const file of queue) {
    for (const next of edges.get(file) ?? []) {
      if (next === start) {
        const way = [start];
        for (let step = file; step !== undefined; step = cameFrom.get(step)) way.unshift(step);
        return way;
      }
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, file);
      queue.push(next);
    }
  }
  return undefined;
}
