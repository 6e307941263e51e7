export * from "../../../packages/names/dist/index.js";
