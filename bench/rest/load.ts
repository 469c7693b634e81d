// Asks a server again and again over 64 connections, and prints how many answers a second there were.

import { Agent, request } from "node:http";

export type Load = {
  readonly address: string;
  readonly path: string;
  /** What is posted; null: nothing, it is a GET. */
  readonly body: string | null;
  readonly count: number;
};

const connections = 64;

const [, , given = ""] = process.argv;
const { address, path, body, count } = JSON.parse(given) as Load;
const { hostname, port } = new URL(address);
const agent = new Agent({ keepAlive: true, maxSockets: connections });
let left = count;

const begun = performance.now();
await Promise.all(
  Array.from({ length: connections }, async () => {
    while (left > 0) {
      left -= 1;
      await ask();
    }
  }),
);
console.log((count / (performance.now() - begun)) * 1000);
process.exit(0);

function ask(): Promise<void> {
  const headers =
    body === null ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    request({ agent, hostname, port, path, method: body === null ? "GET" : "POST", headers }, (response) => {
      const { statusCode = 0 } = response;
      if (statusCode >= 300) reject(new Error(`${path} answered ${statusCode}`));
      response.resume().on("end", resolve);
    })
      .on("error", reject)
      .end(body ?? undefined);
  });
}
