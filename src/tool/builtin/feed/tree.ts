// The small part of XML that a feed needs: elements with a name, attributes and text. No document type, no entities but
// the five of XML, and bounds on everything: who writes a feed may want to harm its reader.

import type { SaxesParser, SaxesTagNS } from "saxes";
import { setImmediate as turn } from "node:timers/promises";
import { ToolError } from "../../function.ts";

export type Element = {
  /** Without its prefix. */
  readonly name: string;
  readonly namespace: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly Element[];
  /** Of the element and all that is in it. */
  readonly text: string;
};

type Growing = Element & { readonly children: Growing[]; text: string };

/** Feeds have about five levels, with pages inside them a few more. The parser looks through all of them at each tag. */
const depthMax = 64;
const elementsMax = 200_000;
const attributesMax = 64;
/** Characters that are read before others get a turn. */
const pieceLength = 64 * 1024;

type Reading = { readonly open: Growing[]; root: Growing | null; elements: number };

export async function parseXml(source: string, signal: AbortSignal): Promise<Element> {
  const { SaxesParser: Parser } = await import("saxes");
  const parser = new Parser({ xmlns: true, position: true, resolvePrefix: nameUnknown });
  const reading: Reading = { open: [], root: null, elements: 0 };
  listen(parser, reading);
  for (let at = 0; at < source.length; at += pieceLength) {
    signal.throwIfAborted();
    parser.write(source.slice(at, at + pieceLength));
    await turn();
  }
  parser.close();
  if (reading.root === null) throw badFeed("it is empty");
  return reading.root;
}

/** Many feeds use prefixes that they never explain. */
function nameUnknown(prefix: string): string | undefined {
  return prefix === "" || prefix === "xml" || prefix === "xmlns" ? undefined : `unknown:${prefix}`;
}

function listen(parser: SaxesParser<{ xmlns: true }>, reading: Reading): void {
  let attributes = 0;
  parser.on("doctype", (doctype) => {
    throw badFeed(/^\s*html\b/i.test(doctype) ? "it is an HTML page" : "it has a document type, which is not read");
  });
  parser.on("opentagstart", () => {
    attributes = 0;
  });
  // Before they are gathered: a hundred thousand of them would take their time.
  parser.on("attribute", () => {
    attributes += 1;
    if (attributes > attributesMax) throw badFeed(`an element has more than ${attributesMax} attributes`);
  });
  parser.on("opentag", (tag) => openElement(reading, tag));
  parser.on("closetag", () => closeElement(reading));
  const addText = (text: string): void => {
    const element = reading.open.at(-1);
    if (element !== undefined) element.text += text;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("error", (error) => {
    throw badFeed(`it is no proper XML at ${error.message.replace(/\.$/, "")}`);
  });
}

function openElement(reading: Reading, { local, uri, attributes }: SaxesTagNS): void {
  reading.elements += 1;
  if (reading.elements > elementsMax) throw badFeed(`it has more than ${elementsMax} elements`);
  if (reading.open.length >= depthMax) throw badFeed(`its elements are nested more than ${depthMax} deep`);
  const values = Object.values(attributes).map((attribute) => [attribute.name, attribute.value] as const);
  const element: Growing = { name: local, namespace: uri, attributes: new Map(values), children: [], text: "" };
  const parent = reading.open.at(-1);
  if (parent === undefined) reading.root ??= element;
  else parent.children.push(element);
  reading.open.push(element);
}

function closeElement({ open }: Reading): void {
  const element = open.pop();
  const parent = open.at(-1);
  // What stands in markup belongs to the text around it.
  if (element !== undefined && parent !== undefined) parent.text += element.text;
}

export function badFeed(reason: string): ToolError {
  return new ToolError({ code: "bad_feed", message: `This is no feed that can be read: ${reason}.`, isFinal: true });
}
