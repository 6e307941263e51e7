// Which nodes a Godot scene has (`parseTscn`): root first, parents by path; nodes whose parent is in another file become roots.
import { brokenAt, lineAt } from "../text/files-error.ts";
import { counted, quoted } from "../text/text.ts";
import type { NodePlan, PlannedNode } from "./node-plan.ts";
import { nextTag, type Tag } from "./tscn-tags.ts";

/** A node as described by its header. */
interface Header {
  readonly name: string;
  /** Path of the parent, from the root of the scene, which is "."; `undefined` for the root itself. */
  readonly parent: string | undefined;
  readonly kind: string;
  /** Whether all its children are in this file. Those of an instanced scene are not. */
  readonly isComplete: boolean;
  /** Position where the header begins. */
  readonly at: number;
}

const EXAMPLES = 3; // the most examples that a note names

/**
 * Reads the nodes of a Godot text scene: the headers `[node name="..." parent="..."]`, nothing else.
 *
 * A parent's path may lead into an instanced scene, whose nodes are in another file. Each node with such a parent becomes a
 * root, together with everything below it; a note says so.
 *
 * @throws FilesError naming the line, if the text is not a scene, a node has no name, a parent does not exist, or the first
 *   node is not the only one without a parent.
 */
export function parseTscn(text: string): NodePlan {
  const headers = headersIn(text);
  const nodes: PlannedNode[] = [];
  const places = new Map<string, number>(); // by path; for siblings with the same name the first
  const abroad: Header[] = [];
  for (const [place, header] of headers.entries()) {
    const { name, parent: above, kind } = header;
    requireRoot(text, headers, place);
    const found = above === undefined ? -1 : places.get(above);
    if (found === undefined) {
      requireUnknown(text, headers, places, header);
      abroad.push(header);
    }
    nodes.push({ name, parent: found ?? -1, kind });
    const path = above === undefined ? "." : above === "." ? name : `${above}/${name}`;
    if (!places.has(path)) places.set(path, place);
  }
  return { nodes, notes: abroad.length === 0 ? [] : [noteOn(abroad)] };
}

function headersIn(text: string): Header[] {
  const reader = { text, at: 0 };
  const head = nextTag(reader);
  if (head === undefined) throw brokenAt(text, 0, "not a Godot scene: it is empty");
  if (head.kind !== "gd_scene") {
    throw brokenAt(text, head.at, `not a Godot scene: it begins with [${head.kind}], not with [gd_scene]`);
  }
  const resources = new Map<string, string>(); // paths by id
  const headers: Header[] = [];
  for (let tag = nextTag(reader); tag !== undefined; tag = nextTag(reader)) {
    if (tag.kind === "ext_resource") {
      resources.set(tag.fields.get("id")?.text ?? "", tag.fields.get("path")?.text ?? "");
    } else if (tag.kind === "node") headers.push(headerOf(text, tag, resources));
  }
  return headers;
}

function headerOf(text: string, tag: Tag, resources: ReadonlyMap<string, string>): Header {
  const name = stringField(text, tag, "name");
  if (name === undefined || name === "") throw brokenAt(text, tag.at, "a node has no name");
  const type = stringField(text, tag, "type");
  return {
    name,
    parent: stringField(text, tag, "parent"),
    kind: type ?? instanceText(tag, resources),
    isComplete: type !== undefined,
    at: tag.at,
  };
}

/** The kind of a node without a type: the root of an instanced scene, or a node inside one that is changed here. */
function instanceText({ fields }: Tag, resources: ReadonlyMap<string, string>): string {
  const instance = fields.get("instance")?.text;
  if (instance === undefined) return "(of an instance)";
  const id = /^ExtResource\(\s*"?([^")]*?)"?\s*\)$/.exec(instance)?.[1] ?? "";
  const file = resources.get(id)?.split("/").at(-1);
  return file === undefined || file === "" ? "(instance)" : file;
}

function stringField(text: string, tag: Tag, field: string): string | undefined {
  const value = tag.fields.get(field);
  if (value !== undefined && !value.isString) {
    throw brokenAt(text, tag.at, `${field} must be a string in quotes, not ${quoted(value.text)}`);
  }
  return value?.text;
}

/** The first node is the root, the only one without a parent. */
function requireRoot(text: string, headers: readonly Header[], place: number): void {
  const { name, parent, at } = headers[place]!;
  if (place === 0 && parent !== undefined) {
    throw brokenAt(text, at, `the first node, ${quoted(name)}, is the root and cannot have a parent`);
  }
  if (place > 0 && parent === undefined) {
    const line = lineAt(text, headers[0]!.at);
    throw brokenAt(text, at, `node ${quoted(name)} has no parent, but the root is on line ${line}`);
  }
}

/** A parent that is not in the file must be in an instanced scene: the last known node of its path must be an instance. */
function requireUnknown(
  text: string,
  headers: readonly Header[],
  places: ReadonlyMap<string, number>,
  { name, parent = "", at }: Header,
): void {
  let path = parent;
  let known = places.get(path);
  while (known === undefined) {
    const cut = path.lastIndexOf("/");
    path = cut === -1 ? "." : path.slice(0, cut);
    known = places.get(path);
  }
  if (headers[known]!.isComplete) {
    throw brokenAt(text, at, `the parent of node ${quoted(name)} does not exist: ${quoted(parent)}`);
  }
}

function noteOn(abroad: readonly Header[]): string {
  const count = counted(
    abroad.length,
    "node has a parent in another scene's file; it is",
    "nodes have parents in other scenes' files; they are",
  );
  const shown = abroad.slice(0, EXAMPLES).map(({ name, parent }) => `${quoted(name)} of ${quoted(parent!)}`);
  const more = abroad.length > EXAMPLES ? `; ${abroad.length - EXAMPLES} more` : "";
  return `${count} at the top level: ${shown.join("; ")}${more}`;
}
