export * from "../../../../packages/query/dist/kernels.js";
