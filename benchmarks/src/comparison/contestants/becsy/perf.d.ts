// The fast build of becsy has no types; its surface is that of the checked build.

declare module "@lastolivegames/becsy/lib/perf.js" {
  export { type Entity, System, Type, World } from "@lastolivegames/becsy";
}
