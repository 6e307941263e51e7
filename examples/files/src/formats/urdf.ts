// Which nodes a robot has (`parseUrdf`): a node per link, placed by its joint; refuses two parents and cycles.
import { brokenAt, type FilesError, lineAt } from "../text/files-error.ts";
import { counted, quoted } from "../text/text.ts";
import type { NodePlan, PlannedNode } from "./node-plan.ts";
import { parseXml, type XmlElement } from "./xml.ts";

/** A robot's links and joints, as in the file. */
interface Robot {
  readonly text: string;
  /** In the file's order. */
  readonly links: ReadonlyMap<string, XmlElement>;
  /** The joint of which each link is the child, by the name of the link. */
  readonly jointAbove: ReadonlyMap<string, Joint>;
}

interface Joint {
  readonly parent: string;
  readonly child: string;
  readonly type: string;
  readonly element: XmlElement;
}

const STEPS_SHOWN = 6; // of a cycle

/**
 * Reads the links of a URDF robot: each becomes one node, below the link that its joint names as the parent. A node's
 * kind is the type of that joint. Children are in the order of their joints.
 *
 * @throws FilesError naming the line, if the text is not a robot in well-formed XML, a link or joint is incomplete or its
 *   name is used twice, a joint names an unknown link, a link has two parents, or links form a cycle.
 */
export function parseUrdf(text: string): NodePlan {
  const robot = robotIn(text);
  const { links, jointAbove } = robot;
  const jointsBelow = new Map<string, Joint[]>();
  for (const joint of jointAbove.values()) {
    const siblings = jointsBelow.get(joint.parent);
    if (siblings === undefined) jointsBelow.set(joint.parent, [joint]);
    else siblings.push(joint);
  }

  const nodes: PlannedNode[] = [];
  for (const name of links.keys()) {
    if (!jointAbove.has(name)) nodes.push({ name, parent: -1, kind: "(no joint)" });
  }
  const roots = nodes.length;
  // The list grows during the loop, level by level.
  for (let parent = 0; parent < nodes.length; parent++) {
    for (const { child, type } of jointsBelow.get(nodes[parent]!.name) ?? []) {
      nodes.push({ name: child, parent, kind: type });
    }
  }
  if (nodes.length < links.size) throw cycleIn(robot, nodes);
  return {
    nodes,
    notes: roots > 1 ? [`${counted(roots, "link")} have no joint above them and are roots`] : [],
  };
}

function robotIn(text: string): Robot {
  const elements = parseXml(text);
  const [root] = elements;
  if (root!.name !== "robot") {
    throw brokenAt(text, root!.at, `not a robot: the outermost element is <${root!.name}>, not <robot>`);
  }
  const macro = elements.find(({ name }) => name.startsWith("xacro:"));
  if (macro !== undefined) {
    throw brokenAt(text, macro.at, `<${macro.name}> is for xacro, which converts it to URDF; use its output`);
  }

  const links = new Map<string, XmlElement>();
  const joints: Joint[] = [];
  const jointNames = new Map<string, XmlElement>();
  for (const [place, element] of elements.entries()) {
    if (element.parent !== 0) continue; // inside other elements, link and joint have another meaning
    if (element.name === "link") claimName(text, links, element);
    else if (element.name === "joint") {
      claimName(text, jointNames, element);
      joints.push(jointOf(text, elements, place));
    }
  }

  const jointAbove = new Map<string, Joint>();
  for (const joint of joints) {
    requireLinks(text, links, joint);
    const other = jointAbove.get(joint.child);
    if (other !== undefined) throw twoParents(text, other, joint);
    jointAbove.set(joint.child, joint);
  }
  return { text, links, jointAbove };
}

function claimName(text: string, taken: Map<string, XmlElement>, element: XmlElement): void {
  const name = requireAttribute(text, element, "name");
  const other = taken.get(name);
  if (other !== undefined) {
    const line = lineAt(text, other.at);
    throw brokenAt(text, element.at, `a ${element.name} ${quoted(name)} already exists, on line ${line}`);
  }
  taken.set(name, element);
}

function jointOf(text: string, elements: readonly XmlElement[], place: number): Joint {
  const element = elements[place]!;
  const end = (role: "parent" | "child"): string => {
    const ends = elements.filter(({ name, parent }) => parent === place && name === role);
    if (ends.length !== 1) {
      const name = quoted(element.attributes.get("name")!);
      throw brokenAt(text, element.at, `joint ${name} has ${ends.length} <${role}> elements, not one`);
    }
    return requireAttribute(text, ends[0]!, "link");
  };
  return { parent: end("parent"), child: end("child"), type: element.attributes.get("type") ?? "?", element };
}

function requireAttribute(text: string, { name, attributes, at }: XmlElement, attribute: string): string {
  const value = attributes.get(attribute);
  if (value === undefined || value === "") throw brokenAt(text, at, `<${name}> needs ${attribute}="..."`);
  return value;
}

function requireLinks(text: string, links: ReadonlyMap<string, unknown>, joint: Joint): void {
  for (const role of ["parent", "child"] as const) {
    if (links.has(joint[role])) continue;
    throw brokenAt(text, joint.element.at, `${jointText(joint)}: there is no link ${quoted(joint[role])}`);
  }
}

function twoParents(text: string, first: Joint, second: Joint): FilesError {
  const parents = `${quoted(first.parent)} by ${jointText(first)}, ${quoted(second.parent)} by ${jointText(second)}`;
  return brokenAt(text, second.element.at, `link ${quoted(second.child)} has two parents: ${parents}`);
}

function jointText({ element }: Joint): string {
  return `joint ${quoted(element.attributes.get("name")!)}`;
}

/** Links that are not below a root are on a cycle or below one: going up from one of them reaches the cycle. */
function cycleIn({ text, links, jointAbove }: Robot, reached: readonly PlannedNode[]): FilesError {
  const known = new Set(reached.map(({ name }) => name));
  let link = [...links.keys()].find((name) => !known.has(name))!;
  const passed = new Set<string>();
  while (!passed.has(link)) {
    passed.add(link);
    link = jointAbove.get(link)!.parent;
  }
  const upwards = [...passed];
  const round = [...upwards.slice(upwards.indexOf(link)), link].reverse().map(quoted);
  const shown =
    round.length <= STEPS_SHOWN ? round : [...round.slice(0, STEPS_SHOWN - 1), "...", round.at(-1)!];
  return brokenAt(text, jointAbove.get(link)!.element.at, `links form a cycle: ${shown.join(" -> ")}`);
}
