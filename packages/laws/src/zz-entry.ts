export { stepText } from "./step.ts";
export { replay, shortest, walk } from "./walk.ts";
