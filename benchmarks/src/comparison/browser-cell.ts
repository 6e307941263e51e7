/** A page of its own for one cell: orders come through the browser's remote control, one at a time. */
import { createServer, type Match, type Order, serve } from "./processes/serve.ts";

const server = createServer();

Object.assign(globalThis, { obey: (order: Order): Promise<Match> => serve(server, order) });
