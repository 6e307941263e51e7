// What our other packages see of a definition in core's declarations, and users do not; named in their `tsconfig.json`.

/**
 * What the other packages see of a definition in core's declarations, which lack it. No declaration that users get leads to this file, so
 * their editors do not offer it. Our packages name it in their `tsconfig.json`.
 */
declare module "./definition.ts" {
  interface Definition extends DefinitionState {}
}

export {};
