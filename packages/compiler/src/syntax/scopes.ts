// What each name means (`Variable`), where it is read, and whether it is assigned to.
import { childrenOf, isFunction, type Node, nodesIn } from "./nodes.ts";

/** What a name means in its scope. */
export interface Variable {
  readonly name: string;
  kind: "import" | "const" | "let" | "var" | "parameter" | "other";
  /** Where it is declared; of imports the specifier. */
  readonly node: Node;
  readonly scope: Scope;
  /** Each place that reads or writes it, in the order of the text. */
  readonly references: Node[];
  /** It is assigned to, in addition to its declaration. */
  isAssigned: boolean;
}

/** The names that are declared in a part of the module. */
export class Scope {
  readonly parent: Scope | undefined;
  /** The function, or the program, in which it is. */
  readonly owner: Node;
  /** Declarations with `var` belong to functions. */
  readonly isOfFunction: boolean;
  readonly variables: Map<string, Variable> = new Map();

  constructor(parent: Scope | undefined, owner: Node, isOfFunction: boolean) {
    this.parent = parent;
    this.owner = owner;
    this.isOfFunction = isOfFunction;
  }

  declare(name: string, kind: Variable["kind"], node: Node): void {
    const known = this.variables.get(name);
    if (known !== undefined)
      known.isAssigned = true; // declared twice: nothing is known of its value
    else this.variables.set(name, { name, kind, node, scope: this, references: [], isAssigned: false });
  }

  find(name: string): Variable | undefined {
    return this.variables.get(name) ?? this.parent?.find(name);
  }
}

/** What is known of all names of a module. */
export interface Scopes {
  readonly module: Scope;
  readonly parentOf: ReadonlyMap<Node, Node>;
  /** By identifier that is read or written; absent for names of properties, and for globals. */
  readonly variableOf: ReadonlyMap<Node, Variable>;
  /** Identifiers that name something which no scope declares. */
  readonly globals: ReadonlySet<Node>;
  /** Identifiers and members that a pattern, or the head of a loop, assigns to. */
  readonly patternTargets: ReadonlySet<Node>;
}

export function scopesOf(program: Node): Scopes {
  const reader = new Reader();
  const module = new Scope(undefined, program, true);
  for (const child of childrenOf(program)) reader.read(child, program, module);
  return { module, ...reader.resolved() };
}

class Reader {
  private readonly parentOf: Map<Node, Node> = new Map();
  private readonly patternTargets: Set<Node> = new Set();
  /** Where names that are not resolved may be read and written. */
  private readonly hidden: { readonly name: string; readonly scope: Scope }[] = [];
  private readonly found: { readonly node: Node; readonly scope: Scope; readonly isWrite: boolean }[] = [];

  resolved(): Omit<Scopes, "module"> {
    const { parentOf, patternTargets } = this;
    const variableOf = new Map<Node, Variable>();
    const globals = new Set<Node>();
    for (const { node, scope, isWrite } of this.found) {
      const variable = scope.find((node as { readonly name?: string }).name!);
      if (variable === undefined) {
        globals.add(node);
        continue;
      }
      variableOf.set(node, variable);
      variable.references.push(node);
      if (isWrite) variable.isAssigned = true;
    }
    for (const { name, scope } of this.hidden) {
      const variable = scope.find(name);
      if (variable === undefined || variable.kind === "import") continue;
      variable.kind = "other";
      variable.isAssigned = true;
    }
    return { parentOf, variableOf, globals, patternTargets };
  }

  private refer(node: Node, scope: Scope, isWrite = false): void {
    this.found.push({ node, scope, isWrite });
  }

  /** Reads a node that is not a declared name, nor the name of a property. */
  read(node: Node, parent: Node, scope: Scope): void {
    this.parentOf.set(node, parent);
    switch (node.type) {
      case "Identifier":
      case "JSXIdentifier":
        this.refer(node, scope);
        return;
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        this.readFunction(node, scope);
        return;
      case "ClassDeclaration":
      case "ClassExpression": {
        if (node.type === "ClassDeclaration" && node.id) scope.declare(node.id.name, "other", node);
        const inner = new Scope(scope, scope.owner, false);
        if (node.id) inner.declare(node.id.name, "other", node);
        for (const child of childrenOf(node)) if (child !== node.id) this.read(child, node, inner);
        return;
      }
      case "VariableDeclaration":
        for (const one of node.declarations) {
          this.parentOf.set(one, node);
          const isVar = node.kind === "var";
          this.declare(one.id as Node, one, isVar ? functionScope(scope) : scope, kindOf(node.kind), one);
          if (one.init) this.read(one.init, one, scope);
        }
        return;
      case "ImportDeclaration":
        for (const one of node.specifiers) scope.declare(one.local.name, "import", one);
        for (const one of node.specifiers) this.parentOf.set(one, node);
        return;
      case "ExportNamedDeclaration":
        if (node.declaration) this.read(node.declaration, node, scope);
        if (!node.source)
          for (const one of node.specifiers)
            if (one.local.type === "Identifier") {
              this.parentOf.set(one, node);
              this.read(one.local, one, scope);
            }
        return;
      case "ExportAllDeclaration":
      case "MetaProperty":
      case "BreakStatement":
      case "ContinueStatement":
        return;
      case "LabeledStatement":
        this.read(node.body, node, scope);
        return;
      case "MemberExpression":
        this.read(node.object, node, scope);
        if (node.computed) this.read(node.property, node, scope);
        return;
      case "JSXMemberExpression":
        this.read(node.object, node, scope);
        return;
      case "JSXAttribute":
        if (node.value) this.read(node.value, node, scope);
        return;
      case "Property":
      case "MethodDefinition":
      case "PropertyDefinition":
      case "AccessorProperty":
        if ("decorators" in node) for (const one of node.decorators) this.read(one, node, scope);
        if (node.computed) this.read(node.key, node, scope);
        if (node.value) this.read(node.value as Node, node, scope);
        return;
      case "AssignmentExpression":
        this.assign(node.left as Node, node, scope, false);
        this.read(node.right, node, scope);
        return;
      case "UpdateExpression":
        this.assign(node.argument as Node, node, scope, false);
        return;
      case "ForInStatement":
      case "ForOfStatement": {
        const inner = new Scope(scope, scope.owner, false);
        if (node.left.type === "VariableDeclaration") this.read(node.left, node, inner);
        else this.assign(node.left as Node, node, inner, true);
        this.read(node.right, node, inner);
        this.read(node.body, node, inner);
        return;
      }
      case "CatchClause": {
        const inner = new Scope(scope, scope.owner, false);
        if (node.param) this.declare(node.param as Node, node, inner, "other", node);
        this.read(node.body, node, inner);
        return;
      }
      case "TSEnumDeclaration":
      case "TSModuleDeclaration": {
        let name = node.id as Node;
        while (name.type === "TSQualifiedName") name = name.left as Node;
        if (name.type === "Identifier") scope.declare(name.name, "other", node);
        // Names inside may be members of it: none of them is resolved.
        if (node.body)
          for (const one of nodesIn(node.body as Node))
            if (one.type === "Identifier") this.hidden.push({ name: one.name, scope });
        return;
      }
      case "TSImportEqualsDeclaration":
        scope.declare(node.id.name, "other", node);
        return;
      case "BlockStatement":
      case "ForStatement":
      case "SwitchStatement":
      case "StaticBlock":
        this.readAll(node, new Scope(scope, scope.owner, false));
        return;
      default:
        this.readAll(node, scope);
    }
  }

  private readAll(node: Node, scope: Scope): void {
    for (const child of childrenOf(node)) this.read(child, node, scope);
  }

  private readFunction(node: Node, outer: Scope): void {
    if (!("params" in node) || !("body" in node) || !isFunction(node)) return;
    let around = outer;
    if ("id" in node && node.id) {
      if (node.type === "FunctionDeclaration") outer.declare(node.id.name, "other", node);
      else {
        around = new Scope(outer, outer.owner, false);
        around.declare(node.id.name, "other", node);
      }
    }
    const scope = new Scope(around, node, true);
    for (const one of node.params as Node[]) this.declare(one, node, scope, "parameter", node);
    const body = node.body as Node | null;
    if (body === null) return;
    this.parentOf.set(body, node);
    if (body.type === "BlockStatement") this.readAll(body, scope);
    else this.read(body, node, scope);
  }

  /** Declares the names in a pattern. @param owner what declares them. */
  private declare(pattern: Node, parent: Node, scope: Scope, kind: Variable["kind"], owner: Node): void {
    this.parentOf.set(pattern, parent);
    if ("decorators" in pattern)
      for (const one of pattern.decorators ?? []) this.read(one, pattern, scope.parent ?? scope);
    const inside = (one: Node): void => this.declare(one, pattern, scope, kind, owner);
    switch (pattern.type) {
      case "Identifier":
        scope.declare(pattern.name, kind, owner);
        return;
      case "ObjectPattern":
        for (const one of pattern.properties as Node[]) inside(one);
        return;
      case "Property":
        if (pattern.computed) this.read(pattern.key, pattern, scope);
        inside(pattern.value as Node);
        return;
      case "ArrayPattern":
        for (const one of pattern.elements as (Node | null)[]) if (one) inside(one);
        return;
      case "RestElement":
        inside(pattern.argument as Node);
        return;
      case "AssignmentPattern":
        inside(pattern.left as Node);
        this.read(pattern.right, pattern, scope);
        return;
      case "TSParameterProperty":
        inside(pattern.parameter as Node);
    }
  }

  /** Reads what is assigned to. @param inPattern it is a part of a pattern. */
  private assign(target: Node, parent: Node, scope: Scope, inPattern: boolean): void {
    this.parentOf.set(target, parent);
    const inside = (one: Node): void => this.assign(one, target, scope, true);
    if (inPattern) this.patternTargets.add(target);
    switch (target.type) {
      case "Identifier":
        this.refer(target, scope, true);
        return;
      case "ObjectPattern":
        for (const one of target.properties as Node[]) inside(one);
        return;
      case "Property":
        if (target.computed) this.read(target.key, target, scope);
        inside(target.value as Node);
        return;
      case "ArrayPattern":
        for (const one of target.elements as (Node | null)[]) if (one) inside(one);
        return;
      case "RestElement":
        inside(target.argument as Node);
        return;
      case "AssignmentPattern":
        inside(target.left as Node);
        this.read(target.right, target, scope);
        return;
      default:
        this.read(target, parent, scope);
    }
  }
}

function functionScope(scope: Scope): Scope {
  return scope.isOfFunction ? scope : functionScope(scope.parent!);
}

function kindOf(kind: string): Variable["kind"] {
  return kind === "const" || kind === "let" || kind === "var" ? kind : "other";
}
