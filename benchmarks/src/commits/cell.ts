/** A separate process for one cell, of the comparison or of a gate. Garbage is collected before each turn, outside the clock. */
import { instruments } from "../comparison/processes/node-instruments.ts";
import { createServer, type Order, serve } from "../comparison/processes/serve.ts";
import { openAny } from "./opener.ts";

const server = createServer(instruments, openAny);

process.on("message", async (order: Order) => {
  // Otherwise garbage of the last turn is collected at a moment that depends on chance and the machine's load.
  if (order.kind === "sample") globalThis.gc?.();
  const reply = await serve(server, order);
  process.send?.(reply);
});
