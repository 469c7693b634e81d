import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { createCappedFetch } from "./capped-fetch.ts";
import { valuesMax } from "./value-count.ts";

/** What is told of an answer, and how much of it comes through. */
async function fetchAll(type: string, body: string): Promise<{ told: string[]; length: number | null }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": type });
    response.end(body);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const told: string[] = [];
  const get = createCappedFetch({
    onProblem: () => {},
    watch: () => ({ onTooLarge: ({ message }) => void told.push(message), rest: () => undefined }),
  });
  try {
    const response = await get(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const text = await response.text().catch(() => null);
    return { told, length: text?.length ?? null };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const refused = { told: [`It answered with more than ${valuesMax} values.`], length: null };
const many = `[${"1,".repeat(valuesMax)}1]`;
const half = "1,".repeat(valuesMax / 2 + 1);

test("an answer of too many values is cut off before anybody reads it", async () => {
  expect(await fetchAll("application/json", many)).toEqual(refused);
  expect(await fetchAll("application/json", JSON.stringify(many))).toEqual({ told: [], length: many.length + 2 });
});

test.each([
  ["in one line", `data: ${many}\n\n`],
  ["in two lines", `data: [${half}\ndata: ${half}1]\n\n`],
  ["in lines that end otherwise", `data: [${half}\r\ndata: ${half}1]\r\n\r\n`],
  ["in lines that end in yet another way", `data: [${half}\rdata: ${half}1]\r\r`],
  ["behind a quote that is in no message", `: "\nid: "\revent: "\ndata: ${many}\n\n`],
  ["behind another event", `data: "a\\\n\ndata: ${many}\n\n`],
])("an event of too many values ends the stream, %s", async (_, body) => {
  expect(await fetchAll("text/event-stream", body)).toEqual(refused);
});

test("a stream of many small events goes on", async () => {
  const body = `data: [${half}1]\n\n`.repeat(5);
  expect(await fetchAll("text/event-stream", body)).toEqual({ told: [], length: body.length });
});
