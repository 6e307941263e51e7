export * from "../../../../packages/query/dist/hierarchy.js";
