/** A separate page for one cell, as `cell.ts` is a process: orders come through the browser's remote control. */
import { createServer, type Order, type Reply, serve } from "../comparison/processes/serve.ts";
import { openAny } from "./opener.ts";

const server = createServer(undefined, openAny);

Object.assign(globalThis, {
  obey: (order: Order): Promise<Reply> => {
    if (order.kind === "sample") globalThis.gc?.();
    return serve(server, order);
  },
});
