// A scene of three.js in step with a world; three.js itself is not counted.
import { createWorld, set, spawn, tag } from "@treeline/core";
import { attachScene, objectOf, updateScene } from "@treeline/three";
import { Local3D, World3D } from "@treeline/transform/3d";
import { Object3D, Scene } from "three";

const Ship = tag("Ship");
const world = createWorld();
attachScene(world, new Scene(), [{ with: Ship, make: () => new Object3D() }]);
const ship = spawn(world, Local3D({ position: [10, 0, 0] }), World3D, Ship);
updateScene(world);
set(world, ship, Local3D, { position: [20, 0, 0] });
updateScene(world);
console.log(objectOf(world, ship).matrixWorld.elements[12]);

//> 20
