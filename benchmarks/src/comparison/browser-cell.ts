/** A separate page for one cell: orders come through the browser's remote control, one at a time. */
import { createServer, type Order, type Reply, serve } from "./processes/serve.ts";

const server = createServer();

Object.assign(globalThis, { obey: (order: Order): Promise<Reply> => serve(server, order) });
