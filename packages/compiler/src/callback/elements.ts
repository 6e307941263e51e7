// Elements of `array` fields, also by a local name of the field (`aliasOf`), as elements of a column (`elementEdits`).
import { isFunction, type Node, runsLater } from "../syntax/nodes.ts";
import type { Scopes, Variable } from "../syntax/scopes.ts";
import { isCalled, isDeleted, isWritten } from "./contexts.ts";
import { type Edit, inPlaceOf, type LoopText, type Named } from "./edits.ts";
import { type FieldUse, note } from "./fields.ts";
import { isNumeric, rangeOf } from "./numbers.ts";
import { INDEX_SHIFT, READS_ELEMENTS, WRITES_ELEMENTS } from "./uses.ts";

/*
 * Elements of `array` fields, `name.field[index]`, also by a local name of the field: in a loop they are elements of its column. What a
 * subarray of the row would do with an index that is none of its own stays the same.
 */

/** An `array` field of a parameter. */
export interface ListField {
  readonly named: Named;
  readonly fields: Map<string, FieldUse>;
  readonly field: string;
  /** Its parameter has a list of rows in loops for `BESIDE`. */
  readonly isBeside: () => boolean;
}

/** A local name for a field, of which elements are used. */
export interface Alias {
  /** `alias[index]` outside of inner functions. */
  readonly elements: readonly Node[];
  /** `alias.length` */
  readonly lengths: readonly Node[];
  /** It is used in other ways too: it has to be a subarray. */
  readonly isKept: boolean;
}

/** The name that keeps the index of an element, without its prefix. */
const KEY = "key";

type Element = Extract<Node, { readonly type: "MemberExpression" }>;

/** `object[index]` is read or written, and neither called nor deleted. */
export function elementOf(object: Node, scopes: Scopes): Element | undefined {
  const element = scopes.parentOf.get(object);
  if (element?.type !== "MemberExpression" || element.object !== object) return undefined;
  if (!element.computed || element.optional) return undefined;
  return isCalled(element, scopes) || isDeleted(element, scopes) ? undefined : element;
}

/** `object.length` is read. */
export function lengthOf(object: Node, scopes: Scopes): Node | undefined {
  const member = scopes.parentOf.get(object);
  if (member?.type !== "MemberExpression" || member.object !== object) return undefined;
  if (member.computed || member.optional || scopes.patternTargets.has(member)) return undefined;
  if (member.property.type !== "Identifier" || member.property.name !== "length") return undefined;
  const parent = scopes.parentOf.get(member);
  switch (parent?.type) {
    case "BinaryExpression":
    case "VariableDeclarator":
      return member;
    case "CallExpression":
      return parent.callee === member ? undefined : member;
    case "AssignmentExpression":
      return parent.right === member ? member : undefined;
    default:
      return undefined;
  }
}

/**
 * A local name for a field of a parameter, `const { field: alias } = name;` or `const alias = name.field;`.
 *
 * @param end of its declaration.
 * @returns undefined if no elements are used, or if it is assigned or may be used before it has its value.
 */
export function aliasOf(variable: Variable, end: number, callback: Node, scopes: Scopes): Alias | undefined {
  if (variable.isAssigned) return undefined;
  const declaration = scopes.parentOf.get(variable.node);
  if (declaration && scopes.parentOf.get(declaration)?.type === "SwitchCase") return undefined;
  const elements: Node[] = [];
  const lengths: Node[] = [];
  for (const reference of variable.references) {
    if (reference.start < end) return undefined;
    if (isInClosure(reference, callback, scopes)) continue;
    const element = elementOf(reference, scopes);
    const length = lengthOf(reference, scopes);
    if (element !== undefined) elements.push(element);
    else if (length !== undefined) lengths.push(length);
  }
  if (elements.length === 0) return undefined;
  return { elements, lengths, isKept: elements.length + lengths.length < variable.references.length };
}

export function isInClosure(node: Node, callback: Node, { parentOf }: Scopes): boolean {
  for (let one = parentOf.get(node); one !== undefined && one !== callback; one = parentOf.get(one))
    if (runsLater(one) || isFunction(one)) return true;
  return false;
}

/** Notes that elements of a field are used. @param mayWrite they are written, or may be by what gets a subarray. */
export function noteElements({ fields, field }: ListField, mayWrite = false): void {
  note(fields, field, mayWrite ? READS_ELEMENTS | WRITES_ELEMENTS : READS_ELEMENTS, false);
}

export function lengthEdit({ named, field }: ListField, length: Node): Edit {
  return inPlaceOf(length.start, length.end, (loop) => loop.length(named, field));
}

/** A subarray of the row. */
export function subarrayText(list: ListField): Edit["text"] {
  const { named, field, isBeside } = list;
  return (loop) =>
    `${loop.prefix}value(${loop.column(named, field)}, ${loop.at(named, isBeside())}, ${loop.length(named, field)})`;
}

/** The index may be anything: where it is no number of the row, a subarray is made for it. */
export function needsSubarray(element: Node, scopes: Scopes): boolean {
  return element.type === "MemberExpression" && !isNumeric(element.property as Node, scopes);
}

/**
 * Replaces an element by the element of the column. If the index may be anything, the text begins with a parenthesis.
 *
 * @param subarray reads the subarray, for an index that may be anything.
 * @param names gets the name that keeps the index, if there has to be one.
 */
export function elementEdits(
  list: ListField,
  element: Node,
  subarray: Edit["text"],
  names: Set<string>,
  scopes: Scopes,
): Edit[] {
  if (element.type !== "MemberExpression") return [];
  const { named, fields, field } = list;
  const index = element.property as Node;
  const opening = (text: (loop: LoopText) => string): Edit => inPlaceOf(element.start, index.start, text);
  const closing = (text: (loop: LoopText) => string): Edit => inPlaceOf(index.end, element.end, text);
  const column = (loop: LoopText): string => loop.column(named, field);
  const key = (loop: LoopText): string => `${loop.prefix}${KEY}`;
  const base = (loop: LoopText): string => loop.base(named, field);
  noteElements(list, isWritten(element, scopes));
  const range = rangeOf(index, scopes);
  if (range !== undefined && range.low >= 0 && range.high < 2 ** (30 - INDEX_SHIFT)) {
    note(fields, field, READS_ELEMENTS, false, range.high);
    return [opening((loop) => `${column(loop)}[${base(loop)} + (`), closing(() => ")]")];
  }
  names.add(KEY);
  /** Whether the index, which is a number, is one of a row. */
  const isOwn = (loop: LoopText): string =>
    `(${key(loop)} | 0) === ${key(loop)} && ${key(loop)} >= 0 && ${key(loop)} < ${loop.length(named, field)}`;
  if (isNumeric(index, scopes))
    return [
      opening((loop) => `${column(loop)}[${key(loop)} = (`),
      closing((loop) => `), ${isOwn(loop)} ? ${base(loop)} + ${key(loop)} : -1]`),
    ];
  return [
    opening((loop) => `(typeof (${key(loop)} = (`),
    closing(
      (loop) =>
        `)) === "number" && ${isOwn(loop)} ? (${key(loop)} += ${base(loop)}, ${column(loop)}) : ${subarray(loop)})[${key(loop)}]`,
    ),
  ];
}
