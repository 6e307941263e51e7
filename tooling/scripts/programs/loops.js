// Loops and accessors stand in the source many times, so that each query has its own: bundlers must keep all of them.
import { component, createWorld, f32, spawn } from "@treeline/core";
import { each, query } from "@treeline/query";

const world = createWorld();
const views = [];

/** How many places queries with so many views are iterated at. */
function countLoops(queries, outputs) {
  const callers = new Set();
  for (let at = 0; at < queries; at++) {
    const components = Array.from({ length: outputs }, (_, place) =>
      component(`Part ${outputs} ${at} ${place}`, { x: f32 }),
    );
    spawn(world, ...components);
    each(query(world, ...components), (...row) => {
      views.push(...row.slice(0, -1));
      callers.add(new Error().stack.split("\n")[2]);
    });
  }
  return callers.size;
}

console.log(...[16, 32, 32, 16].map((queries, at) => countLoops(queries, at + 1)));

const getters = views.map((view) => Object.getOwnPropertyDescriptor(Object.getPrototypeOf(view), "x").get);
console.log(views.length, new Set(getters).size);

//> 16 32 32 16
//> 240 240
