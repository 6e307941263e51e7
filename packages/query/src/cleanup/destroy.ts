export { destroy } from "@treeline/core/internal";
