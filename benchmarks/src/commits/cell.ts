/** A process of its own for one cell, as the comparison's are. Its garbage is collected before each turn, outside the clock. */
import { instruments } from "../comparison/processes/node-instruments.ts";
import { createServer, type Order, serve } from "../comparison/processes/serve.ts";

const server = createServer(instruments);

process.on("message", async (order: Order) => {
  // What the last turn left behind would be collected at a moment that only chance and the machine's load decide.
  if (order.kind === "sample") globalThis.gc?.();
  const answer = await serve(server, order);
  process.send?.(answer);
});
