// From the elements of RSS 2.0, RSS 1.0 (RDF) and Atom to items that look alike.

import type { Feed, FeedItem } from "./feed.ts";
import { parseInstant } from "./instant.ts";
import { badFeed, parseXml, type Element } from "./tree.ts";

const atom = "http://www.w3.org/2005/Atom";
const rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
const dublinCore = "http://purl.org/dc/elements/1.1/";
const contentModule = "http://purl.org/rss/1.0/modules/content/";
/** RSS 2.0 has none of its own; RSS 1.0 and its forerunner have these. */
const rss: ReadonlySet<string> = new Set(["", "http://purl.org/rss/1.0/", "http://my.netscape.com/rdf/simple/0.9/"]);

const titleLengthMax = 1000;
const summaryLengthMax = 10_000;
const categoriesMax = 50;

export type ParseOptions = {
  /** Where it came from: links may be relative to it. */
  readonly url: string;
  readonly itemsMax: number;
  /** Older items are left out; those that do not say when are kept. */
  readonly since: number;
  readonly signal: AbortSignal;
};

/** `parseFeed(text, { url: "https://example.org/feed.xml", itemsMax: 50, since: 0, signal })` */
export async function parseFeed(source: string, options: ParseOptions): Promise<Feed> {
  const root = await parseXml(source, options.signal);
  const { head, items } = dialectOf(root);
  const found: FeedItem[] = [];
  for (const item of items) {
    if (found.length >= options.itemsMax) break;
    const read = toItem(item, options.url);
    if (read.published_at === null || read.published_at > options.since) found.push(read);
  }
  return { title: titleOf(head), link: linkOf(head, options.url), items: found };
}

function dialectOf(root: Element): { readonly head: Element; readonly items: readonly Element[] } {
  if (root.name === "feed" && root.namespace === atom) return { head: root, items: childrenOf(root, "entry") };
  const channel = childrenOf(root, "channel")[0];
  if (root.name === "rss" && channel !== undefined) return { head: channel, items: childrenOf(channel, "item") };
  // In RSS 1.0 the items stand beside the channel.
  if (root.name === "RDF" && root.namespace === rdf) return { head: channel ?? root, items: childrenOf(root, "item") };
  throw badFeed(`"${root.name.slice(0, 50)}" is not what an RSS or Atom feed begins with`);
}

/** Those of the feed's own dialect: modules have titles, too. */
function childrenOf(element: Element, name: string): readonly Element[] {
  return element.children.filter(
    (child) => child.name === name && (rss.has(child.namespace) || child.namespace === atom),
  );
}

function textOf(element: Element, ...names: readonly string[]): string {
  for (const name of names) {
    const text = childrenOf(element, name)[0]?.text.trim() ?? "";
    if (text !== "") return text;
  }
  return "";
}

function moduleTextOf(element: Element, namespace: string, name: string): string {
  return element.children.find((child) => child.name === name && child.namespace === namespace)?.text.trim() ?? "";
}

function toItem(item: Element, base: string): FeedItem {
  const link = linkOf(item, base);
  const title = titleOf(item);
  const id = textOf(item, "guid", "id") || (item.attributes.get("rdf:about") ?? "") || link || title;
  const summary = textOf(item, "summary", "description", "content") || moduleTextOf(item, contentModule, "encoded");
  return {
    id: cut(id, titleLengthMax),
    title,
    link,
    published_at: instantOf(item),
    author: authorOf(item),
    summary: cut(summary, summaryLengthMax),
    categories: categoriesOf(item),
  };
}

function titleOf(element: Element): string {
  return cut(
    (textOf(element, "title") || moduleTextOf(element, dublinCore, "title")).replaceAll(/\s+/g, " "),
    titleLengthMax,
  );
}

/** Of Atom: the page itself, not a picture, a sound or the feed. */
function isPage(link: Element): boolean {
  return ["alternate", ""].includes(link.attributes.get("rel") ?? "");
}

function linkOf(element: Element, base: string): string | null {
  const links = childrenOf(element, "link");
  for (const link of links) {
    // Atom names it in an attribute, RSS in the text; Atom's links stand in RSS feeds as well, for other uses.
    const written =
      link.namespace === atom ? (isPage(link) ? link.attributes.get("href") : undefined) : link.text.trim();
    const url = written === undefined || written === "" ? null : URL.parse(written, base);
    if (url?.protocol === "https:" || url?.protocol === "http:") return cut(url.href, 2 * titleLengthMax);
  }
  return null;
}

function instantOf(item: Element): number | null {
  const written = textOf(item, "pubDate", "published", "updated") || moduleTextOf(item, dublinCore, "date");
  const at = written.length > 100 ? Number.NaN : parseInstant(written);
  return Number.isNaN(at) ? null : at;
}

function authorOf(item: Element): string | null {
  const person = childrenOf(item, "author")[0];
  const name = person === undefined ? "" : textOf(person, "name") || person.text.trim();
  const author = cut(name || moduleTextOf(item, dublinCore, "creator"), titleLengthMax);
  return author === "" ? null : author;
}

function categoriesOf(item: Element): readonly string[] {
  return childrenOf(item, "category")
    .map((category) => cut(category.attributes.get("term") ?? category.text.trim(), titleLengthMax))
    .filter((category) => category !== "")
    .slice(0, categoriesMax);
}

function cut(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax).toWellFormed()}…`;
}
