/** A separate Node process for one cell: orders come from the parent process, one at a time. */
import { instruments } from "./processes/node-instruments.ts";
import { createServer, type Order, serve } from "./processes/serve.ts";

const server = createServer(instruments);

process.on("message", async (order: Order) => {
  const reply = await serve(server, order);
  process.send?.(reply);
});
