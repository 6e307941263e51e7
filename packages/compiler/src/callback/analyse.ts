// Whether a callback can be compiled, why not (`LeftAlone`), and what is replaced in it (`analyse`).
import { type Node, nodesIn, runsLater } from "../syntax/nodes.ts";
import type { Scopes, Variable } from "../syntax/scopes.ts";
import { carriedVariables } from "./carried.ts";
import {
  followsOpen,
  isBoolean,
  isCalled,
  isDeleted,
  isGuarded,
  isScalar,
  isScalarVariable,
  isTested,
  presenceIn,
} from "./contexts.ts";
import {
  after,
  before,
  carriedName,
  type Edit,
  inPlaceOf,
  type LoopText,
  type Named,
  sorted,
} from "./edits.ts";
import { callsNothing, namesForKernel, writesAllRows } from "./effects.ts";
import {
  aliasOf,
  elementEdits,
  elementOf,
  isInClosure,
  type ListField,
  lengthEdit,
  lengthOf,
  needsSubarray,
  noteElements,
  subarrayText,
} from "./elements.ts";
import { type FieldUse, note, ParameterUses } from "./fields.ts";
import { type Literal, refuseByBody, requireLiteral } from "./literals.ts";
import {
  IS_GUARDED,
  LeftAlone,
  MARKS,
  READS,
  READS_LIST,
  USES_FIELDS,
  USES_WHOLE,
  WRITES,
  WRITES_ALL,
} from "./uses.ts";

/** One parameter of a callback. */
export interface Parameter extends Named {
  readonly fields: ReadonlyMap<string, FieldUse>;
  /** Its fields are read only where it is known to be there. */
  readonly isGuarded: boolean;
  /** Destructured in the list of parameters: what each local name reads. */
  readonly locals: readonly { readonly name: string; readonly at: number; readonly text: Edit["text"] }[];
  /** The entity, as a constant of that name, since a closure keeps it. */
  readonly kept: string | undefined;
}

/** A callback that can be compiled. */
export interface Analysis {
  readonly callback: Node;
  /** A block, or an expression. */
  readonly body: Node;
  readonly parameters: readonly Parameter[];
  readonly edits: readonly Edit[];
  /** Names that a row begins with, without their prefix. */
  readonly names: readonly string[];
  /** Variables around the callback that its loops keep in names of their own meanwhile. */
  readonly carried: readonly string[];
  readonly returns: boolean;
  /** Names that its loop needs as a kernel; undefined if it can be none. */
  readonly kernelNames: readonly string[] | undefined;
}

/** @throws LeftAlone if the callback cannot be compiled. */
export function analyse(callback: Node, code: string, scopes: Scopes): Analysis {
  return new Analyser(requireLiteral(callback), code, scopes).analyse();
}

class Analyser {
  private readonly callback: Literal;
  private readonly code: string;
  private readonly scopes: Scopes;
  private readonly edits: Edit[] = [];
  /** Names that a row begins with, without their prefix. */
  private readonly names: Set<string> = new Set();
  private readonly callsNothing: boolean;

  constructor(callback: Literal, code: string, scopes: Scopes) {
    this.callback = callback;
    this.code = code;
    this.scopes = scopes;
    this.callsNothing = callsNothing(callback.body, scopes);
  }

  analyse(): Analysis {
    const { callback } = this;
    const { body } = callback;
    refuseByBody(callback, this.scopes);
    const parameters = callback.params.map((one, place) => this.parameterOf(one, place));
    if (parameters.every(({ bits }) => (bits & USES_FIELDS) === 0))
      throw new LeftAlone("the callback uses no field of a parameter", callback.start);
    let returns = false;
    for (const node of nodesIn(body, (one) => !runsLater(one))) {
      if (node.type !== "ReturnStatement") continue;
      this.editReturn(node);
      returns = true;
    }
    const kernelNames = namesForKernel(callback, this.scopes);
    const carried = this.callsNothing ? carriedVariables(callback, this.scopes) : [];
    for (const one of carried) this.replaceCarried(one);
    return {
      callback,
      body,
      parameters,
      edits: sorted(this.edits),
      names: [...this.names],
      carried: carried.map(({ name }) => name),
      returns,
      kernelNames,
    };
  }

  private replaceCarried({ name, references }: Variable): void {
    const { body } = this.callback;
    for (const { start, end } of references)
      if (body.start <= start && end <= body.end)
        this.edits.push(inPlaceOf(start, end, ({ prefix }) => carriedName(prefix, name)));
  }

  // ---- parameters ------------------------------------------------------------------------------------------------

  private parameterOf(pattern: Node, place: number): Parameter {
    switch (pattern.type) {
      case "Identifier":
        if (pattern.name === "this")
          throw new LeftAlone("the callback declares the type of this", pattern.start);
        return this.namedParameter(pattern.name, place);
      case "ObjectPattern":
        return this.destructuredParameter(pattern, place);
      default:
        throw new LeftAlone(
          "a parameter has a default, is a rest or is destructured as a list",
          pattern.start,
        );
    }
  }

  private destructuredParameter(pattern: Node, place: number): Parameter {
    const uses = new Map<string, FieldUse>();
    const named: Named = { place, bits: USES_FIELDS };
    const locals = this.partsOf(pattern).map(({ field, name, at }) => {
      const variable = this.variableDeclared(name, this.callback);
      const list = { named, fields: uses, field, isBeside: () => false };
      return { name, at, text: this.readLocal(variable, list, pattern.end) };
    });
    if (locals.length === 0)
      throw new LeftAlone("an empty pattern still fails without a value", pattern.start);
    return { ...named, fields: uses, isGuarded: false, locals, kept: undefined };
  }

  /** @param owner the callback, or what declares the variable. */
  private variableDeclared(name: string, owner: Node): Variable | undefined {
    for (const variable of this.scopes.variableOf.values())
      if (variable.name === name && variable.node === owner) return variable;
    return undefined;
  }

  /** @param end of the declaration of a local name. @returns the text of its value. */
  private readLocal(variable: Variable | undefined, list: ListField, end: number): Edit["text"] {
    const text = this.readAlias(variable, list, end);
    if (text !== undefined) return text;
    const isPlain = variable !== undefined && isScalarVariable(variable, this.scopes);
    return this.readOf(list.named, list.fields, list.field, isPlain, list.isBeside);
  }

  /** The properties of a pattern without defaults, rests and patterns in it. */
  private partsOf(pattern: Node): { field: string; name: string; at: number }[] {
    if (pattern.type !== "ObjectPattern") throw new LeftAlone("it is destructured as a list", pattern.start);
    return (pattern.properties as Node[]).map((one) => {
      const isPlain = one.type === "Property" && !one.computed && one.key.type === "Identifier";
      if (!isPlain || one.value.type !== "Identifier")
        throw new LeftAlone("a pattern has a default, a rest, a computed name or a pattern in it", one.start);
      return { field: (one.key as { readonly name: string }).name, name: one.value.name, at: one.start };
    });
  }

  private namedParameter(name: string, place: number): Parameter {
    const { callback, scopes } = this;
    const variable = [...scopes.variableOf.values()].find(
      (one) => one.node === callback && one.name === name && one.kind === "parameter",
    );
    const none = { fields: new Map<string, FieldUse>(), isGuarded: false, locals: [], kept: undefined };
    if (variable === undefined) return { place, bits: 0, ...none };
    if (variable.isAssigned)
      throw new LeftAlone(`${name} is assigned, or declared twice`, variable.references[0]!.start);
    const uses = new ParameterUses(variable, { place, bits: USES_FIELDS });
    for (const reference of variable.references) this.read(uses, reference);
    const { whole, named } = uses;
    if (whole.length === 0) {
      const guarded = uses.reads.every((one) => isGuarded(one, callback, variable, scopes));
      if (guarded) named.bits |= IS_GUARDED;
      if (uses.isWritten) named.bits |= this.marksOf(uses.writes);
      uses.isBeside = guarded;
      return { ...named, fields: uses.fields, isGuarded: guarded, locals: [], kept: undefined };
    }
    if (uses.fields.size > 0 || uses.hasTests)
      throw new LeftAlone(`${name} is used as a whole, and not only as ${name}.field`, whole[0]!.start);
    if (place !== callback.params.length - 1)
      throw new LeftAlone(
        `${name} is used as a whole: only the entity may be, as the last parameter`,
        whole[0]!.start,
      );
    return { place, bits: USES_WHOLE, ...none, kept: this.replaceWhole(variable) };
  }

  /** Each use of the entity reads it, unless a closure keeps it. @returns the name of a constant for that. */
  private replaceWhole({ name, references }: Variable): string | undefined {
    const { callback, scopes } = this;
    for (const one of references) if (isInClosure(one, callback, scopes)) return name;
    for (const one of references) {
      const parent = scopes.parentOf.get(one);
      const isShort = parent?.type === "Property" && parent.shorthand && parent.start === one.start;
      if (one.type !== "Identifier" || scopes.patternTargets.has(one))
        throw new LeftAlone(`${name} is used in a way that is not known`, callback.start);
      this.edits.push(
        inPlaceOf(one.start, one.end, (loop) => (isShort ? `${name}: ${loop.entity}` : loop.entity)),
      );
    }
    return undefined;
  }

  private marksOf(writes: readonly Node[]): number {
    if (!this.callsNothing) return MARKS;
    return writesAllRows(this.callback, writes, this.code, this.scopes) ? WRITES_ALL : 0;
  }

  // ---- uses of one parameter -------------------------------------------------------------------------------------

  private read(uses: ParameterUses, reference: Node): void {
    const { scopes, edits } = this;
    const { named, variable } = uses;
    const { name } = variable;
    const parent = scopes.parentOf.get(reference);
    if (isInClosure(reference, this.callback, scopes)) {
      if (parent?.type === "MemberExpression" && parent.object === reference)
        throw new LeftAlone(`a function inside the callback uses ${name}`, reference.start);
      uses.whole.push(reference);
      return;
    }
    if (parent?.type === "MemberExpression" && parent.object === reference) {
      if (parent.computed) throw new LeftAlone(`${name}[...] has a computed name`, parent.start);
      if (parent.property.type !== "Identifier") throw new LeftAlone(`${name}.# is private`, parent.start);
      this.readField(uses, parent, parent.property.name);
      return;
    }
    if (
      parent?.type === "VariableDeclarator" &&
      parent.init === reference &&
      parent.id.type === "ObjectPattern"
    ) {
      this.readParts(uses, parent);
      return;
    }
    const presence = parent === undefined ? undefined : presenceIn(parent, scopes);
    if (presence?.variable === variable) {
      uses.hasTests = true;
      const sign = presence.isThere ? "" : "!";
      edits.push(inPlaceOf(parent!.start, parent!.end, (loop) => `${sign}${loop.isThere(named)}`));
      return;
    }
    const isLeft =
      parent?.type === "LogicalExpression" && parent.operator === "&&" && parent.left === reference;
    if (isTested(reference, scopes) || isLeft) {
      uses.hasTests = true;
      const isPlain = isTested(reference, scopes);
      if (!isPlain) this.requireBegun(reference);
      edits.push(
        inPlaceOf(reference.start, reference.end, (loop) =>
          isPlain ? loop.isThere(named) : `(${loop.isThere(named)} || undefined)`,
        ),
      );
      return;
    }
    uses.whole.push(reference);
  }

  /** `const { x, y: other } = name;` */
  private readParts(uses: ParameterUses, declarator: Node): void {
    if (declarator.type !== "VariableDeclarator") return;
    const pattern = declarator.id as Node;
    const parts = this.partsOf(pattern).map(({ field, name }) => {
      const variable = this.variableDeclared(name, declarator);
      return { name, text: this.readLocal(variable, listOf(uses, field), declarator.end) };
    });
    if (parts.length === 0)
      throw new LeftAlone("an empty pattern still fails without a value", pattern.start);
    uses.reads.push(pattern);
    this.edits.push(
      inPlaceOf(declarator.start, declarator.end, (loop) =>
        parts.map(({ name, text }) => `${name} = ${text(loop)}`).join(", "),
      ),
    );
  }

  /** Notes that a field is read. @returns the text that reads it. */
  private readOf(
    named: Named,
    fields: Map<string, FieldUse>,
    field: string,
    isPlain: boolean,
    isBeside: () => boolean,
    isTruth = false,
  ): (loop: LoopText) => string {
    note(fields, field, isPlain ? READS : READS_LIST, isTruth);
    return (loop) => {
      const column = loop.column(named, field);
      const at = loop.at(named, isBeside());
      if (isPlain) return `${column}[${at}]`;
      const length = loop.length(named, field);
      return `(${length} === 0 ? ${column}[${at}] : ${loop.prefix}value(${column}, ${at}, ${length}))`;
    };
  }

  private readField(uses: ParameterUses, member: Node, field: string): void {
    if (member.type !== "MemberExpression") return;
    const { scopes, edits } = this;
    const { named, fields, variable } = uses;
    const text = `${variable.name}.${field}`;
    const parent = scopes.parentOf.get(member);
    const isBeside = (): boolean => uses.isBeside;
    if (scopes.patternTargets.has(member))
      throw new LeftAlone(`a pattern or loop assigns to ${text}`, member.start);
    if (member.optional) {
      // Written out only where nothing else is in the chain, which an absent value would skip, and where no message quotes it.
      const around = parent && scopes.parentOf.get(parent);
      const isLonger = around?.type === "MemberExpression" && around.object === parent;
      if (parent?.type !== "ChainExpression" || isLonger)
        throw new LeftAlone(`${text} is in a longer chain`, member.start);
      if (isCalled(parent, scopes)) throw new LeftAlone(`${text} is called`, member.start);
      if (isDeleted(parent, scopes)) throw new LeftAlone(`${text} is deleted`, member.start);
      const isPlain = isScalar(parent, scopes) || isNullish(parent, scopes);
      const read = this.readOf(named, fields, field, isPlain, isBeside, isTested(parent, scopes));
      uses.hasTests = true;
      this.requireBegun(member);
      edits.push(
        inPlaceOf(member.start, member.end, (loop) => `(${loop.isThere(named)} ? ${read(loop)} : undefined)`),
      );
      return;
    }
    if (parent?.type === "AssignmentExpression" && parent.left === member) {
      uses.reads.push(member);
      this.write(uses, member, parent, field);
      return;
    }
    if (parent?.type === "UpdateExpression") {
      uses.reads.push(member);
      this.write(uses, member, parent, field);
      return;
    }
    if (isCalled(member, scopes)) throw new LeftAlone(`${text} is called`, member.start);
    if (isDeleted(member, scopes)) throw new LeftAlone(`${text} is deleted`, member.start);
    uses.reads.push(member);
    const list = listOf(uses, field);
    if (this.readElement(list, member)) return;
    if (parent?.type === "VariableDeclarator" && parent.id.type === "Identifier") {
      const variable = this.variableDeclared(parent.id.name, parent);
      const text = this.readAlias(variable, list, parent.end);
      if (text !== undefined) {
        edits.push(inPlaceOf(member.start, member.end, text));
        return;
      }
    }
    const isPlain = isScalar(member, scopes);
    if (!isPlain) this.requireBegun(member);
    const read = this.readOf(named, fields, field, isPlain, isBeside, isTested(member, scopes));
    edits.push(inPlaceOf(member.start, member.end, read));
  }

  /** `name.field[index]` and `name.field.length` of an `array` field. @returns false if it is neither. */
  private readElement(list: ListField, member: Node): boolean {
    const { code, scopes, edits } = this;
    const element = elementOf(member, scopes);
    const length = lengthOf(member, scopes);
    if (element !== undefined) {
      if (needsSubarray(element, scopes) && followsOpen(element, code, scopes)) return false;
      edits.push(...elementEdits(list, element, subarrayText(list), this.names, scopes));
      return true;
    }
    if (length === undefined) return false;
    noteElements(list);
    edits.push(lengthEdit(list, length));
    return true;
  }

  /**
   * Edits what is done with a local name for an `array` field. @param end of its declaration.
   *
   * @returns what is its value, or `undefined` if that is not of use; if its elements are not used, the text that reads it.
   */
  private readAlias(variable: Variable | undefined, list: ListField, end: number): Edit["text"] | undefined {
    const { code, scopes, edits, callback } = this;
    const alias = variable && aliasOf(variable, end, callback, scopes);
    if (alias === undefined) return undefined;
    const asks = alias.elements.filter((one) => needsSubarray(one, scopes));
    const isKept = alias.isKept || asks.some((one) => followsOpen(one, code, scopes));
    noteElements(list, isKept);
    const subarray = subarrayText(list);
    const name = `array${end}`;
    const made: Edit["text"] = isKept
      ? () => variable!.name
      : (loop) => `(${loop.prefix}${name} ??= ${subarray(loop)})`;
    for (const one of alias.elements)
      if (!asks.includes(one) || !followsOpen(one, code, scopes))
        edits.push(...elementEdits(list, one, made, this.names, scopes));
    for (const one of alias.lengths) edits.push(lengthEdit(list, one));
    if (isKept) return subarray;
    if (asks.length === 0) return () => "0";
    this.names.add(name);
    return (loop) => `${loop.prefix}${name} = undefined`;
  }

  /** What begins with a parenthesis would be the arguments of what is before it, if that has no semicolon. */
  private requireBegun(node: Node): void {
    if (followsOpen(node, this.code, this.scopes))
      throw new LeftAlone("a line begins here, and the one before has no semicolon", node.start);
  }

  // ---- writes ----------------------------------------------------------------------------------------------------

  private write(uses: ParameterUses, member: Node, write: Node, field: string): void {
    const { scopes, edits } = this;
    const { named, fields } = uses;
    uses.isWritten = true;
    uses.writes.push(write);
    const place = (loop: LoopText): string =>
      `${loop.column(named, field)}[${loop.at(named, uses.isBeside)}]`;
    edits.push(inPlaceOf(member.start, member.end, place));
    const depth = this.depthOf(write);
    const parent = scopes.parentOf.get(write);
    const isStatement = parent?.type === "ExpressionStatement" || write === this.callback.body;
    const operator = write.type === "AssignmentExpression" ? write.operator : "++";
    const isSimple = operator === "=";
    const truth = isSimple && write.type === "AssignmentExpression" && isBoolean(write.right);
    note(fields, field, isSimple ? WRITES : WRITES | READS, truth);
    const end = `${this.callback.body.type === "BlockStatement" ? "" : ";"}`;
    if (["||=", "&&=", "??="].includes(operator) && write.type === "AssignmentExpression") {
      this.writeLogical(uses, member, write, place, depth);
      return;
    }
    if (isStatement) {
      // Braces: it may be the only statement of an if.
      const whole = parent?.type === "ExpressionStatement" ? parent : write;
      edits.push(
        before(whole.start, depth, (loop) => (loop.marksIn(named) ? "{ " : "")),
        after(whole.end, depth, (loop) => {
          const marks = loop.marks(named);
          if (!loop.marksIn(named)) return "";
          return `${end}; if (${marks}.track !== undefined) ${loop.prefix}mark(0, ${marks}, ${loop.row}); }`;
        }),
      );
      return;
    }
    edits.push(
      before(write.start, depth, (loop) => (loop.marksIn(named) ? `${loop.prefix}mark(` : "")),
      after(write.end, depth, (loop) => (loop.marksIn(named) ? `, ${loop.marks(named)}, ${loop.row})` : "")),
    );
  }

  /** `name.field ||= value` writes, and marks, only sometimes. */
  private writeLogical(
    { named }: ParameterUses,
    member: Node,
    write: Node,
    place: (loop: LoopText) => string,
    depth: number,
  ): void {
    if (write.type !== "AssignmentExpression") return;
    const operator = write.operator.slice(0, -1);
    const between = this.code.slice(member.end, write.right.start);
    const at = between.indexOf(write.operator);
    if (between.replace(write.operator, "").replaceAll("(", "").trim() !== "")
      throw new LeftAlone("there is a comment, or an assertion, beside an operator", write.start);
    this.edits.push(
      inPlaceOf(member.end + at, member.end + at + write.operator.length, (loop) =>
        loop.marksIn(named)
          ? `${operator} ${loop.prefix}mark(${place(loop)} = `
          : `${operator} (${place(loop)} = `,
      ),
      after(write.end, depth, (loop) => (loop.marksIn(named) ? `, ${loop.marks(named)}, ${loop.row})` : ")")),
    );
  }

  private depthOf(node: Node): number {
    let depth = 0;
    for (let one = this.scopes.parentOf.get(node); one !== undefined; one = this.scopes.parentOf.get(one))
      depth++;
    return depth;
  }

  // ---- returns ---------------------------------------------------------------------------------------------------

  private editReturn(node: Node): void {
    if (node.type !== "ReturnStatement") return;
    const { edits } = this;
    const { argument } = node;
    const next = (loop: LoopText): string => `continue ${loop.prefix}rows; `;
    if (!argument) {
      edits.push(inPlaceOf(node.start, node.end, (loop) => next(loop)));
      return;
    }
    const may = mayBePromise(argument);
    const open = (loop: LoopText): string =>
      may && !loop.isKernel ? `{ ${loop.prefix}block.returned((` : "{ void ((";
    // What is cut are parentheses and assertions around the value, and comments.
    edits.push(
      inPlaceOf(node.start, argument.start, open),
      inPlaceOf(argument.end, node.end, (loop) => `)); ${next(loop)}}`),
    );
  }
}

function listOf(uses: ParameterUses, field: string): ListField {
  return { named: uses.named, fields: uses.fields, field, isBeside: () => uses.isBeside };
}

/** `name?.field ?? other`, as arithmetic. */
function isNullish(node: Node, scopes: Scopes): boolean {
  const parent = scopes.parentOf.get(node);
  return parent?.type === "LogicalExpression" && parent.operator === "??" && isScalar(parent, scopes);
}

/** An expression whose value is plainly no promise needs no test. */
export function mayBePromise(node: Node): boolean {
  switch (node.type) {
    case "Literal":
    case "TemplateLiteral":
    case "UnaryExpression":
    case "UpdateExpression":
    case "BinaryExpression":
      return false;
    case "AssignmentExpression":
      return ["=", "||=", "&&=", "??="].includes(node.operator) && mayBePromise(node.right);
    default:
      return true;
  }
}
