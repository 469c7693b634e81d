// Servers of a test's own, and `http.request` to ask them.

import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createRawServer, type AddressInfo, type Socket } from "node:net";
import { isObject, type Json, type JsonObject } from "../src/flow/json.ts";
import { createContext } from "../src/testing/call-context.ts";
import { createHttpTool } from "../src/tool/builtin/http.ts";
import { createGuardedFetch, type Resolve } from "../src/tool/builtin/http/guarded-fetch.ts";
import { createHostList } from "../src/tool/builtin/http/host-list.ts";
import type { CallContext, ToolAnswer } from "../src/tool/tool.ts";

const running = new Set<{ readonly stop: () => void }>();

/** For the end of a test file. */
export function stopServers(): void {
  for (const { stop } of running) stop();
}

export async function listen(server: Server | ReturnType<typeof createRawServer>): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    // Clients go away in the middle of it; that is what is tested.
    socket.on("error", () => undefined);
  });
  running.add({
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

export const serve = (answer: RequestListener): Promise<number> => listen(createServer(answer));

/** A server that says exactly this, whatever it is asked. */
export const serveRaw = (text: string, end: "end" | "stay" = "end"): Promise<number> =>
  listen(
    createRawServer((socket) => {
      socket.once("data", () => {
        socket.write(text);
        if (end === "end") socket.end();
      });
    }),
  );

type Setup = { readonly hosts: readonly string[]; readonly resolve?: Resolve; readonly bytesMax?: number };

export async function ask(
  { hosts, ...guards }: Setup,
  input: Json,
  more: Partial<CallContext> = {},
): Promise<ToolAnswer> {
  return await createHttpTool(createGuardedFetch({ hosts: createHostList(hosts), ...guards })).call(
    createContext(input, more),
  );
}

/** The local server at this port, and what is more to be asked of it. */
export function askLocal(port: number, input: JsonObject = {}, more: Partial<CallContext> = {}): Promise<ToolAnswer> {
  return ask({ hosts: [`private:127.0.0.1:${port}`] }, { url: `http://127.0.0.1:${port}/`, ...input }, more);
}

export const echo: RequestListener = (request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => void chunks.push(chunk));
  request.on("end", () => {
    const { method, url, headers } = request;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }));
  });
};

export function bodyOf(answer: ToolAnswer): JsonObject {
  const body = answer.kind === "done" && isObject(answer.result) ? answer.result["body"] : undefined;
  if (!isObject(body ?? null)) throw new Error(`no body: ${JSON.stringify(answer)}`);
  return body as JsonObject;
}

export function failed(code: string, isFinal: boolean): object {
  return { kind: "failed", code, isFinal };
}
