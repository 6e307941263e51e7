export * from "../../../packages/core/dist/index.js";
