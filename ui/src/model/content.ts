// What a tool answers in blocks, as MCP has them: texts, and images of kinds that cannot carry anything but a picture.

import { isObject, type Json } from "./json.ts";

export type Block =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "image"; readonly address: string }
  | { readonly kind: "other"; readonly value: Json };

const pictures: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const blockTypes: ReadonlySet<string> = new Set(["text", "image", "audio", "resource", "resource_link"]);

/** null: it is no such answer. */
export function blocksOf(value: Json): readonly Block[] | null {
  const blocks = isObject(value) ? value["content"] : value;
  if (!Array.isArray(blocks) || blocks.length === 0) return null;
  const list = blocks as readonly Json[];
  return list.every(isBlock) ? list.map(toBlock) : null;
}

function isBlock(value: Json): boolean {
  return isObject(value) && typeof value["type"] === "string" && blockTypes.has(value["type"]);
}

function toBlock(value: Json): Block {
  if (!isObject(value)) return { kind: "other", value };
  const { type, text, data, mimeType } = value;
  if (type === "text" && typeof text === "string") return { kind: "text", text };
  if (type === "image" && typeof data === "string" && typeof mimeType === "string") {
    const address = toPicture(mimeType, data);
    if (address !== null) return { kind: "image", address };
  }
  return { kind: "other", value };
}

function toPicture(type: string, data: string): string | null {
  return pictures.has(type) && /^[A-Za-z0-9+/]+={0,2}$/.test(data) ? `data:${type};base64,${data}` : null;
}
