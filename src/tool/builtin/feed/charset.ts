// In which letters a feed is written: by its first bytes, by what the server says, by what it says of itself.

import { ToolError } from "../../function.ts";
import { decode } from "../http/content.ts";

/** What cannot be read in the letters that it names becomes U+FFFD: a feed with a wrong name is still news. */
export function decodeFeed(bytes: Buffer, said: string | undefined): string {
  const charset = markOf(bytes) ?? said ?? declared(bytes) ?? "utf-8";
  const text = decode(bytes, charset);
  if (text !== undefined) return text;
  const message = `The feed is written in "${charset}", which is not known.`;
  throw new ToolError({ code: "bad_feed", message, isFinal: true });
}

function markOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : undefined;
}

function declared(bytes: Buffer): string | undefined {
  const opening = bytes.subarray(0, 200).toString("latin1");
  return /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(opening)?.[1];
}
