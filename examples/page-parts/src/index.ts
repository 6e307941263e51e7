// What examples that are pages import.
export { eachFrame, scrollsAbove } from "./frames.ts";
export { Outliner, type OutlinerEvents } from "./outliner.ts";
export { createRenderer } from "./renderer.ts";
