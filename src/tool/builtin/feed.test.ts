// Feeds in three dialects, and feeds that want to harm their reader.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../flow/json.ts";
import { createContext } from "../../testing/call-context.ts";
import type { CallContext, ToolAnswer } from "../tool.ts";
import { createFeedTool } from "./feed.ts";
import { HttpError } from "./http/failure.ts";
import { createGuardedFetch, type Fetched, type HttpRequest } from "./http/guarded-fetch.ts";
import { createHostList } from "./http/host-list.ts";

const url = "https://news.example/feeds/all.xml";

type Served = { readonly status?: number; readonly type?: string };

async function fetchFeed(
  body: string | Buffer,
  input: JsonObject = {},
  { status = 200, type = "application/xml", ...more }: Served & Partial<CallContext> = {},
): Promise<ToolAnswer> {
  const fetch = async (): Promise<Fetched> => {
    return { status, url, headers: { "content-type": type }, body: Buffer.from(body) };
  };
  return await createFeedTool(fetch).call(createContext({ url, ...input }, more));
}

const rss = (items: string): string =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:media="http://search.yahoo.com/mrss/" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>All news</title><atom:link rel="self" href="https://news.example/self"/><link>https://news.example/</link>${items}</channel></rss>`;

const bad = { kind: "failed", code: "bad_feed", isFinal: true };

describe("a feed", () => {
  test("AC-02: in RSS 2.0 gives its items", async () => {
    const item = `<item><media:title>no</media:title><title>Tides &amp; <![CDATA[<b>ebb</b>]]></title><link>/tides?a=1&amp;b=2</link>
      <guid>t1</guid><pubDate>Mon, 09 Mar 2026 08:00:00 +0100</pubDate><dc:creator>Ann</dc:creator>
      <category>sea</category><category> </category><description>&lt;p&gt;High&lt;/p&gt;</description></item>`;
    expect(await fetchFeed(rss(item))).toEqual({
      kind: "done",
      outcome: "items",
      result: {
        title: "All news",
        link: "https://news.example/",
        items: [
          {
            id: "t1",
            title: "Tides & <b>ebb</b>",
            link: "https://news.example/tides?a=1&b=2",
            published_at: Date.UTC(2026, 2, 9, 7),
            author: "Ann",
            summary: "<p>High</p>",
            categories: ["sea"],
          },
        ],
      },
    });
  });

  test("in Atom gives its items, whatever the prefix", async () => {
    const atom = `<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>All</a:title><a:link rel="self" href="/self"/><a:link href="/"/>
      <a:entry><a:id>urn:1</a:id><a:title type="html">One</a:title><a:link rel="enclosure" href="/x.mp3"/><a:link rel="alternate" href="/1"/>
      <a:updated>2026-03-09T08:00:00Z</a:updated><a:author><a:name>Bob</a:name><a:email>b@example.org</a:email></a:author>
      <a:category term="sea"/><a:content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Well <b>done</b>!</div></a:content></a:entry></a:feed>`;
    expect(await fetchFeed(atom)).toMatchObject({
      outcome: "items",
      result: {
        title: "All",
        link: "https://news.example/",
        items: [
          {
            id: "urn:1",
            title: "One",
            link: "https://news.example/1",
            published_at: Date.UTC(2026, 2, 9, 8),
            author: "Bob",
            categories: ["sea"],
            summary: expect.stringContaining("Well") as string,
          },
        ],
      },
    });
  });

  test("in RDF gives its items", async () => {
    const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">
      <channel rdf:about="https://news.example/"><title>All</title><link>https://news.example/</link></channel>
      <item rdf:about="https://news.example/1"><title>One</title><link>https://news.example/1</link><dc:date>2026-03-09</dc:date></item></rdf:RDF>`;
    expect(await fetchFeed(rdf)).toMatchObject({
      result: {
        title: "All",
        items: [{ id: "https://news.example/1", title: "One", published_at: Date.UTC(2026, 2, 9) }],
      },
    });
  });

  test("AC-02: without items is empty", async () => {
    expect(await fetchFeed(rss(""))).toMatchObject({ kind: "done", outcome: "empty", result: { items: [] } });
  });

  test("gives only what is new, and only so many", async () => {
    const items = [1, 2, 3].map(
      (day) => `<item><title>${day}</title><pubDate>2026-03-0${day}T00:00:00Z</pubDate></item>`,
    );
    const titlesOf = (answer: ToolAnswer): Json => JSON.stringify(answer).match(/"title":"\d"/g)?.length ?? 0;
    expect(titlesOf(await fetchFeed(rss(items.join("")), { limit: 2 }))).toBe(2);
    expect(titlesOf(await fetchFeed(rss(items.join("")), { since: "2026-03-02T00:00:00Z" }))).toBe(1);
    const none = await fetchFeed(rss(items.join("")), { since: Date.UTC(2027, 0) });
    expect(none).toMatchObject({ outcome: "empty" });
    expect(await fetchFeed(rss(""), { since: "soon" })).toMatchObject({ code: "bad_args" });
  });

  test("never gives a link that is no address of a page", async () => {
    const items = ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "http://["].map(
      (link) => `<item><title>a</title><link>${link}</link></item>`,
    );
    expect(await fetchFeed(rss(items.join("")))).toMatchObject({
      result: { items: [{ link: null, id: "a" }, { link: null }, { link: null }, { link: null }] },
    });
  });

  test("is read though it uses prefixes that it never explains", async () => {
    const answer = await fetchFeed("<rss><channel><x:y z:a='1'>no</x:y><item><title>a</title></item></channel></rss>");
    expect(answer).toMatchObject({ outcome: "items" });
  });

  test.each([
    [500, false],
    [429, false],
    [404, true],
  ])("AC-02: that answers with %i has failed (for good: %s)", async (status, isFinal) => {
    expect(await fetchFeed("", {}, { status })).toMatchObject({ kind: "failed", code: "http_status", isFinal });
  });

  test("goes through the guards of http.request, as a GET", async () => {
    const asked: HttpRequest[] = [];
    const tool = createFeedTool((request) => {
      asked.push(request);
      return Promise.reject(new HttpError("address_blocked", "no"));
    });
    expect(await tool.call(createContext({ url }))).toMatchObject({ code: "address_blocked", isFinal: true });
    expect(asked).toMatchObject([{ url, method: "GET", body: null }]);
  });
});

describe("letters", () => {
  const declared = (charset: string): string =>
    `<?xml version="1.0" encoding="${charset}"?><rss><channel><title>é</title></channel></rss>`;

  test.each([
    ["as it says of itself", Buffer.from(declared("ISO-8859-1"), "latin1"), "application/xml"],
    ["as the server says", Buffer.from(declared("utf-8"), "latin1"), 'text/xml; charset="iso-8859-1"'],
    ["as nobody says", Buffer.from("<rss><channel><title>é</title></channel></rss>"), ""],
    ["as its first bytes say", Buffer.from(`\uFEFF${declared("utf-16")}`, "utf16le"), "text/xml; charset=iso-8859-1"],
  ])("are read %s", async (_, body, type) => {
    expect(await fetchFeed(body, {}, { type })).toMatchObject({ result: { title: "é" } });
  });

  test("that are other than it says become marks, and the rest is read", async () => {
    expect(await fetchFeed(Buffer.from(declared("utf-8"), "latin1"))).toMatchObject({ result: { title: "\uFFFD" } });
  });

  test("that nobody knows are refused", async () => {
    expect(await fetchFeed(declared("klingon"))).toMatchObject(bad);
    expect(await fetchFeed(declared("utf-7"))).toMatchObject(bad);
  });
});

describe("a feed that wants to harm", () => {
  test("by its mere size is refused before it is read", async () => {
    const server = createServer((_, response) => {
      response.on("error", () => undefined);
      response.end(rss("<item><title>a</title></item>".repeat(400_000)));
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const tool = createFeedTool(createGuardedFetch({ hosts: createHostList([`private:127.0.0.1:${port}`]) }));
      const answer = await tool.call(createContext({ url: `http://127.0.0.1:${port}/` }));
      expect(answer).toMatchObject({ kind: "failed", code: "response_too_large", isFinal: true });
    } finally {
      server.close();
    }
  });

  test("by quotes that fit as bytes and not as a result is refused with what can be done", async () => {
    const items = `<item><title>a</title><description>${'"'.repeat(8 * 1024)}</description></item>`.repeat(400);
    const answer = await fetchFeed(rss(items), { limit: 400 });
    expect(answer).toMatchObject({ kind: "failed", code: "response_too_large", isFinal: true });
    expect(answer).toMatchObject({ message: expect.stringMatching(/^The feed has .* Ask for fewer items: "limit".$/) });
  });

  const laughs = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from(
    { length: 9 },
    (_, level) => `<!ENTITY lol${level + 1} "${`&lol${level === 0 ? "" : level};`.repeat(10)}">`,
  ).join("")}]><rss><channel><title>&lol9;</title></channel></rss>`;

  test.each([
    ["a billion laughs", laughs],
    [
      "a file of ours as an entity",
      '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss><channel><title>&x;</title></channel></rss>',
    ],
    ["a document type from elsewhere", '<!DOCTYPE rss SYSTEM "http://127.0.0.1/x.dtd"><rss><channel/></rss>'],
    ["an entity that nobody declared", rss("<item><title>&nbsp;</title></item>")],
    ["a page", "<!doctype html><html><body>Hello</body></html>"],
    ["another document", "<svg xmlns='http://www.w3.org/2000/svg'/>"],
    ["a feed by name only", "<feed><entry/></feed>"],
    ["JSON", '{"items":[]}'],
    ["nothing", ""],
    ["only white space", "  \n"],
    ["only a beginning", "<rss><channel><item>"],
    ["tags that cross", "<rss><channel><a><b></a></b></channel></rss>"],
    ["two roots", "<rss><channel/></rss><rss/>"],
    ["characters that XML forbids", "<rss><channel><title>\u0000</title></channel></rss>"],
    ["depth without end", `<rss><channel>${"<a>".repeat(300_000)}`],
    ["attributes without end", `<rss ${Array.from({ length: 100_000 }, (_, at) => `a${at}=""`).join(" ")}/>`],
    ["elements without end", `<rss><channel>${"<a/>".repeat(250_000)}</channel></rss>`],
  ])("by %s is refused", async (_, body) => {
    expect(await fetchFeed(body)).toMatchObject(bad);
  });

  test("by long texts is cut", async () => {
    const long = "x".repeat(1_000_000);
    const answer = await fetchFeed(rss(`<item><title>${long}</title><description>${long}</description></item>`));
    expect(answer).toMatchObject({ outcome: "items" });
    expect(JSON.stringify(answer).length).toBeLessThan(15_000);
  });

  test("by many items gives as many as were asked for", async () => {
    const answer = await fetchFeed(rss("<item><title>a</title></item>".repeat(50_000)));
    expect(answer.kind === "done" ? JSON.stringify(answer.result).match(/"title":"a"/g) : null).toHaveLength(50);
  });

  test("can be left while it is read", async () => {
    const { signal } = new AbortController();
    const aborted = AbortSignal.abort();
    const body = rss("<item/>".repeat(50_000));
    expect(await fetchFeed(body, {}, { signal: aborted })).toMatchObject({ kind: "failed" });
    expect(await fetchFeed(body, {}, { signal })).toMatchObject({ kind: "done" });
  });
});
