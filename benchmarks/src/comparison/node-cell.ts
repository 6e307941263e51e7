/** A process of its own for one cell, in Node: orders come from the parent process, one at a time. */
import { instruments } from "./processes/node-instruments.ts";
import { createServer, type Order, serve } from "./processes/serve.ts";

const server = createServer(instruments);

process.on("message", async (order: Order) => {
  const answer = await serve(server, order);
  process.send?.(answer);
});
