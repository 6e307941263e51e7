/** A three.js scene in step with a world; programs that import it also depend on three. */
export * from "@treeline/three";
