import { describe, expect, it } from "vitest";
import { parseTscn } from "../src/formats/tscn.ts";
import { complaintOf, outline } from "./support.ts";

const HEAD = '[gd_scene format=3 uid="uid://abc"]\n';

const sceneOf = (...lines: string[]): string => `${HEAD}${lines.join("\n")}\n`;
const complaint = (...lines: string[]): string => complaintOf(() => parseTscn(sceneOf(...lines)));

describe("a Godot scene", () => {
  it("has a root, nodes directly below it, and nodes below those", () => {
    const plan = parseTscn(
      sceneOf(
        '[node name="Car" type="Node3D"]',
        '[node name="Door" type="MeshInstance3D" parent="."]',
        '[node name="Handle" type="Node3D" parent="Door"]',
        '[node name="Screw" type="Node3D" parent="Door/Handle" index="0" groups=["a b", "c]"]]',
      ),
    );

    expect(outline(plan)).toEqual([
      "Car: Node3D",
      "Car/Door: MeshInstance3D",
      "Car/Door/Handle: Node3D",
      "Car/Door/Handle/Screw: Node3D",
    ]);
    expect(plan.notes).toEqual([]);
  });

  it("without nodes is empty", () => {
    expect(parseTscn(HEAD)).toEqual({ nodes: [], notes: [] });
  });

  it("finds the scene of an instance, in both versions of the format", () => {
    const plan = parseTscn(
      sceneOf(
        '[ext_resource type="PackedScene" path="res://parts/wheel.tscn" id="1_x"]',
        '[ext_resource path="res://seat.glb" type="PackedScene" id=2]',
        '[node name="Car" type="Node3D"]',
        '[node name="Wheel" parent="." instance=ExtResource("1_x")]',
        '[node name="Seat" parent="." instance=ExtResource( 2 )]',
        '[node name="Belt" parent="." instance=ExtResource("9")]',
        '[node name="Spring" parent="Seat" index="0"]',
      ),
    );

    expect(outline(plan)).toEqual([
      "Car: Node3D",
      "Car/Wheel: wheel.tscn",
      "Car/Seat: seat.glb",
      "Car/Belt: (instance)",
      "Car/Seat/Spring: (of an instance)",
    ]);
  });

  it("may contain anything in strings, values and comments", () => {
    const plan = parseTscn(
      [
        "; [node name=",
        '[gd_scene format=3]\r\n[node name="Car" type="Label"]\r',
        'text = "two lines',
        '[node name=\\"Ghost\\" parent=\\".\\"]',
        'and a ] and a \\\\"',
        'theme/"odd = key" = &"name"',
        "points = [",
        "  Vector2(1, 2), ; with a comment: ]",
        '  { "[node": "]" },',
        "]",
        'empty = ""',
        '[ node\n  name = "D\\"oor\\u00e9\\U01f6aa\\t\\q" ; not a comment here',
        "]",
      ]
        .join("\n")
        .replace(" ; not a comment here", '\n  parent=&"."'),
    );

    expect(plan.nodes.map(({ name }) => name)).toEqual(["Car", 'D"ooré🚪\tq']);
    expect(plan.nodes[1]!.parent).toBe(0);
  });

  it("keeps siblings with the same name separate; children named by path are below the first", () => {
    const plan = parseTscn(
      sceneOf(
        '[node name="Car" type="Node3D"]',
        '[node name="Door" type="Node3D" parent="."]',
        '[node name="Door" type="Node2D" parent="."]',
        '[node name="Handle" type="Node3D" parent="Door"]',
      ),
    );

    expect(plan.nodes.map(({ parent }) => parent)).toEqual([-1, 0, 0, 1]);
  });

  it("has more roots if parents are inside instanced scenes, with a note", () => {
    const plan = parseTscn(
      sceneOf(
        '[node name="Car" type="Node3D"]',
        '[node name="Robot" parent="." instance=ExtResource("1")]',
        '[node name="Hat" type="Node3D" parent="Robot/Body/Head"]',
        '[node name="Feather" type="Node3D" parent="Robot/Body/Head/Hat"]',
        '[node name="Mesh" parent="Robot/Body/Arm"]',
        '[node name="Ring" parent="Robot/Body/Arm/Mesh/Finger"]',
      ),
    );

    expect(outline(plan)).toEqual([
      "Car: Node3D",
      "Car/Robot: (instance)",
      "Hat: Node3D",
      "Hat/Feather: Node3D",
      "Mesh: (of an instance)",
      "Ring: (of an instance)",
    ]);
    expect(plan.notes).toEqual([
      "3 nodes have parents in other scenes' files; they are at the top level: " +
        '"Hat" of "Robot/Body/Head"; "Mesh" of "Robot/Body/Arm"; "Ring" of "Robot/Body/Arm/Mesh/Finger"',
    ]);
  });

  it("may inherit its root, whose nodes are not in the file", () => {
    const plan = parseTscn(
      sceneOf(
        '[node name="Car" instance=ExtResource("1")]',
        '[node name="Bolt" type="Node3D" parent="Door"]',
      ),
    );

    expect(plan.nodes.map(({ name, parent }) => [name, parent])).toEqual([
      ["Car", -1],
      ["Bolt", -1],
    ]);
    expect(plan.notes).toHaveLength(1);
  });
});

describe("a broken Godot scene", () => {
  it.each([
    ["", "line 1: not a Godot scene: it is empty"],
    ["; nothing but this", "line 1: not a Godot scene: it is empty"],
    ["\n\n[gd_resource]", "line 3: not a Godot scene: it begins with [gd_resource], not with [gd_scene]"],
    ["hello", 'line 1: neither a [tag] nor key = value: "hello"'],
    ["\r\n<robot>\r\n", 'line 2: neither a [tag] nor key = value: "<robot>"'],
  ])("is refused if it does not begin like a scene: %j", (text, message) => {
    expect(complaintOf(() => parseTscn(text))).toBe(message);
  });

  it.each<[string, string[], string]>([
    ["a node has no name", ['[node type="Node"]'], "line 2: a node has no name"],
    ["a name is empty", ['[node name="" type="Node"]'], "line 2: a node has no name"],
    ["a name is not a string", ["[node name=Car]"], 'line 2: name must be a string in quotes, not "Car"'],
    [
      "the root has a parent",
      ['[node name="Car" parent="."]'],
      'line 2: the first node, "Car", is the root and cannot have a parent',
    ],
    [
      "there are two roots",
      ["", '[node name="Car"]', '[node name="Bus"]'],
      'line 4: node "Bus" has no parent, but the root is on line 3',
    ],
    [
      "a parent does not exist",
      ['[node name="Car" type="Node"]', '[node name="Door" type="Node" parent="Body"]'],
      'line 3: the parent of node "Door" does not exist: "Body"',
    ],
    [
      "a parent comes later",
      [
        '[node name="Car" type="Node"]',
        '[node name="Screw" type="Node" parent="Door/Handle"]',
        '[node name="Door" type="Node" parent="."]',
      ],
      'line 3: the parent of node "Screw" does not exist: "Door/Handle"',
    ],
    [
      "a tag is not closed before the next",
      ['[node name="Car"', '[node name="Door"]'],
      'line 3: [node: field="value" expected, not "[node name="Door"]"',
    ],
    ["a tag ends with the text", ['[node name="Car" '], "line 2: [node is never closed"],
    ["a tag is empty", ["[]"], 'line 2: no word after "["'],
    ["a field has no value", ["[node name]"], 'line 2: [node: field="value" expected, not "name]"'],
    ["a field has an empty value", ["[node name= ]"], 'line 2: a value expected, not "]"'],
    ["a field is given twice", ['[node name="A" name="B"]'], "line 2: [node: name is given twice"],
    ["a string is not closed", ["a = 1", 'b = "', "c = 2"], "line 3: a string is never closed"],
    ["a bracket is not closed", ["a = [1,", "(2)", ""], 'line 2: "[" is never closed'],
    ["a bracket closes nothing", ["a = 1)"], 'line 2: ")" closes nothing'],
    ["brackets are crossed", ["a = [(1", "])"], 'line 3: "]" cannot close "("'],
    ["an escape is too short", ['a = "\\u12"'], "line 2: \\u needs 4 hexadecimal digits"],
    ["an escape is not a character", ['a = "\\Uffffff"'], "line 2: \\U needs 6 hexadecimal digits"],
  ])("names the line where %s", (_, lines, message) => {
    expect(complaint(...lines)).toBe(message);
  });
});
