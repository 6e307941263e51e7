export { BoundObject, bindObject, entityOf, objectOf, unbindObject } from "./objects/bind.ts";
