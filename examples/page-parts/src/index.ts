export { eachFrame, scrollsAbove } from "./frames.ts";
export { Outliner, type OutlinerEvents } from "./outliner.ts";
export { createRenderer } from "./renderer.ts";
