export * from "../../../packages/query/dist/index.js";
