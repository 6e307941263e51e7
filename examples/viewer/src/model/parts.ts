// What the worker sends of a scene, part by part: each is small enough to be taken between two frames.
import type { TypedArray } from "three";

export interface AttributeData {
  readonly array: TypedArray;
  readonly itemSize: number;
  readonly normalized: boolean;
}

/** Attributes by their numbers: those of all parts, counted from 0. */
export interface GeometryData {
  readonly uuid: string;
  readonly index: number | undefined;
  readonly attributes: readonly (readonly [name: string, attribute: number])[];
  readonly morphs: readonly (readonly [name: string, attributes: readonly number[]])[];
  readonly areMorphsRelative: boolean;
  /** Of its box: else the page would look at each corner. */
  readonly min: readonly number[];
  readonly max: readonly number[];
}

export interface TrackData {
  /** As `ValueTypeName` of three.js. */
  readonly type: string;
  readonly name: string;
  readonly times: Float32Array;
  readonly values: Float32Array;
  readonly isStepped: boolean;
}

export interface ClipData {
  readonly name: string;
  readonly duration: number;
  readonly tracks: readonly TrackData[];
}

/** As `toJSON` of three.js writes it, and `ObjectLoader` reads it. */
export type Json = Readonly<Record<string, unknown>> & { readonly uuid: string };

export type Part =
  | {
      readonly kind: "library";
      /** Ids, and bitmaps that can be drawn. */
      readonly images: readonly (readonly [uuid: string, image: unknown])[];
      readonly textures: readonly Json[];
      readonly materials: readonly Json[];
      readonly skeletons: readonly Json[];
    }
  | { readonly kind: "attributes"; readonly attributes: readonly AttributeData[] }
  | { readonly kind: "geometries"; readonly geometries: readonly GeometryData[] }
  | {
      readonly kind: "objects";
      readonly objects: readonly Json[];
      /** The place of the parent among the objects of all parts; the first one has -1. */
      readonly above: readonly number[];
      /** The number of the node in the file; -1 for objects that are none. */
      readonly nodes: readonly number[];
      /** How many there are in all parts. */
      readonly total: number;
    }
  | {
      readonly kind: "end";
      readonly clips: readonly ClipData[];
      /** Of the file; `undefined` for nodes without a name. */
      readonly nodeNames: readonly (string | undefined)[];
    };
