// Registers them: `node --import @treeline/compiler/register`.
import { register } from "node:module";

// `node --import @treeline/compiler/register main.js`
register("@treeline/compiler/loader", import.meta.url);
