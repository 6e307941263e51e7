export * from "../../../../packages/core/dist/debug.js";
