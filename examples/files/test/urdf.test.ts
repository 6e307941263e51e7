import { describe, expect, it } from "vitest";
import { parseUrdf } from "../src/formats/urdf.ts";
import { complaintOf, outline } from "./support.ts";

const link = (name: string): string => `<link name="${name}"/>`;
const joint = (parent: string, child: string, type = "fixed"): string => {
  return `<joint name="${parent}-${child}" type="${type}"><parent link="${parent}"/><child link="${child}"/></joint>`;
};
const robotOf = (...lines: string[]): string => ["<robot name='r2'>", ...lines, "</robot>"].join("\n");
const complaint = (...lines: string[]): string => complaintOf(() => parseUrdf(robotOf(...lines)));

describe("a robot", () => {
  it("has links below the links that their joints name, in any order of the file", () => {
    const plan = parseUrdf(
      robotOf(
        joint("arm", "hand", "revolute"),
        link("hand"),
        link("head"),
        link("arm"),
        link("body"),
        joint("body", "head"),
        joint("body", "arm", "prismatic"),
      ),
    );

    expect(outline(plan)).toEqual([
      "body: (no joint)",
      "body/head: fixed",
      "body/arm: prismatic",
      "body/arm/hand: revolute",
    ]);
    expect(plan.nodes.map(({ parent }) => parent)).toEqual([-1, 0, 0, 2]);
    expect(plan.notes).toEqual([]);
  });

  it("may have several links without a joint, with a note", () => {
    expect(parseUrdf(robotOf(link("a"), link("b"))).notes).toEqual([
      "2 links have no joint above them and are roots",
    ]);
  });

  it("may have comments, other elements, and names in any XML notation", () => {
    const plan = parseUrdf(
      [
        "<?xml version='1.0'?>",
        "<!DOCTYPE robot>",
        '<robot name="r2"\n  xmlns:x="http://example.org/a>b">',
        '<!-- <link name="ghost"/> -->',
        `<link name='the "body" &amp; &lt;more&gt; &#x1F916;&#33;' ><visual><![CDATA[<link>]]></visual></link >`,
        '<link\tname = "it\'s&quot;&apos;"/>',
        '<transmission name="t"><joint name="elsewhere"/><link name="also elsewhere"/></transmission>',
        '<joint name="j" type="fixed">',
        `  <child link="it's&quot;'"/><parent link='the &quot;body&quot; &#38; &lt;more> 🤖!'/>`,
        "</joint>",
        "</robot>",
        "<!-- the end -->",
      ].join("\r\n"),
    );

    expect(outline(plan)).toEqual([
      'the "body" & <more> 🤖!: (no joint)',
      `the "body" & <more> 🤖!/it's"': fixed`,
    ]);
  });
});

describe("a broken robot", () => {
  it.each<[string, string[], string]>([
    [
      "a link has two parents",
      [link("a"), link("b"), link("c"), joint("a", "c"), joint("b", "c")],
      'line 6: link "c" has two parents: "a" by joint "a-c", "b" by joint "b-c"',
    ],
    [
      "a joint names an unknown parent",
      [link("a"), joint("z", "a")],
      'line 3: joint "z-a": there is no link "z"',
    ],
    [
      "a joint names an unknown child",
      [link("a"), joint("a", "z")],
      'line 3: joint "a-z": there is no link "z"',
    ],
    ["a link is its own parent", [link("a"), joint("a", "a")], 'line 3: links form a cycle: "a" -> "a"'],
    [
      "links form a cycle next to a valid tree",
      [
        ...["root", "leaf", "a", "b", "c"].map(link),
        joint("root", "leaf"),
        joint("a", "b"),
        joint("b", "c"),
        joint("c", "a"),
      ],
      'line 10: links form a cycle: "a" -> "b" -> "c" -> "a"',
    ],
    ["a link exists twice", [link("a"), link("a")], 'line 3: a link "a" already exists, on line 2'],
    [
      "a joint's name exists twice",
      [link("a"), link("b"), joint("a", "b"), joint("a", "b")],
      'line 5: a joint "a-b" already exists, on line 4',
    ],
    ["a link has no name", ["<link/>"], 'line 2: <link> needs name="..."'],
    ["a link's name is empty", ['<link name=""/>'], 'line 2: <link> needs name="..."'],
    [
      "a joint has no child",
      [link("a"), '<joint name="j"><parent link="a"/></joint>'],
      'line 3: joint "j" has 0 <child> elements, not one',
    ],
    [
      "a joint has two parents",
      [link("a"), '<joint name="j"><parent link="a"/><parent link="a"/><child link="a"/></joint>'],
      'line 3: joint "j" has 2 <parent> elements, not one',
    ],
    [
      "a joint's end names no link",
      [link("a"), '<joint name="j"><parent/><child link="a"/></joint>'],
      'line 3: <parent> needs link="..."',
    ],
    [
      "there is an element of xacro",
      ['<xacro:include filename="arm"/>'],
      "line 2: <xacro:include> is for xacro, which converts it to URDF; use its output",
    ],
    ["an element is not closed", [link("a"), "<joint>", "  "], "line 5: </robot> cannot close <joint>"],
    ["an end has no name", ["</>"], "line 2: broken end of an element"],
    ["a tag has no name", ["a < b"], 'line 2: no name after "<"'],
    ["a comment is not closed", ["<!-- <link/>"], "line 2: a comment is never closed"],
    [
      "quotes are missing",
      ["<link name=a/>"],
      'line 2: <link: name="value" expected, in single or double quotes',
    ],
    [
      "a quote is not closed",
      ['<link name="a/>', link("b")],
      'line 2: <link: name="value" expected, in single or double quotes',
    ],
    [
      "there is no space between attributes",
      ['<link name="a"type="b"/>'],
      'line 2: <link: name="value" expected, in single or double quotes',
    ],
    ["an attribute is given twice", ['<link name="a" name="b"/>'], "line 2: <link: name is given twice"],
    [
      "an entity is unknown",
      ['<link name="a &nbsp; b"/>'],
      'line 2: "&nbsp;" is not a known entity; write "&" itself as &amp;',
    ],
    [
      "an ampersand is not escaped",
      ['<link name="a & b"/>'],
      'line 2: "&" is not a known entity; write "&" itself as &amp;',
    ],
    [
      "an entity is not a character",
      ['<link name="&#x110000;"/>'],
      'line 2: "&#x110000;" is not a known entity; write "&" itself as &amp;',
    ],
  ])("names the line where %s", (_, lines, message) => {
    expect(complaint(...lines)).toBe(message);
  });

  it.each([
    ["", "line 1: not XML: there is no element"],
    ["\n\nhello", "line 3: not XML: text outside all elements"],
    ["<a/>\n<b/>", "line 2: <b> is a second root element"],
    ["<a>\n</a>\nhello", "line 3: not XML: text outside all elements"],
    ["\n<html></html>", "line 2: not a robot: the outermost element is <html>, not <robot>"],
    ["<robot>\n<link name='a'/>", "line 1: <robot> is never closed"],
    ["<robot>\n<link name='a' ", "line 2: the tag <link is never closed"],
    ["</robot>", "line 1: </robot> closes nothing"],
    ['<!DOCTYPE robot [ <!ENTITY a "b"> ]><robot/>', "line 1: a DOCTYPE with definitions is not read here"],
  ])("is refused if it is not well formed: %j", (text, message) => {
    expect(complaintOf(() => parseUrdf(text))).toBe(message);
  });

  it("shows a long cycle in part", () => {
    const names = Array.from({ length: 30 }, (_, at) => `l${at}`);
    const joints = names.map((name, at) => joint(name, names[(at + 1) % 30]!));

    expect(complaint(...names.map(link), ...joints)).toMatch(
      /^line \d+: links form a cycle: "l\d+" -> "l\d+" -> "l\d+" -> "l\d+" -> "l\d+" -> \.\.\. -> "l\d+"$/,
    );
  });
});
