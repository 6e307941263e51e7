export { eachFrame, scrollsAbove } from "./frames.ts";
export { createRenderer } from "./renderer.ts";
