// `file.read` and `file.write`: texts below the one folder that whoever runs the engine has set aside for flows.

import type { Json } from "../../flow/json.ts";
import { defineTool, ToolError } from "../function.ts";
import type { Tool } from "../tool.ts";
import { readText } from "./arguments.ts";
import { createFolder, type Folder } from "./file/folder.ts";
import { describeOverflow } from "./overflow.ts";
import { closed, text } from "./schema.ts";

/** As much as a result can hold. */
const bytesMax: number = 4 * 1024 * 1024;

const path = text("Relative to the folder, with slashes");

export function createFileTools(filesFolder: string | undefined): readonly Tool[] {
  const folder = filesFolder === undefined ? undefined : createFolder(filesFolder, { bytesMax });
  return [
    defineTool({
      name: "file.read",
      description: "The text of a file in the folder for flows",
      effect: "read",
      input: closed({ path }, ["path"]),
      output: closed({ path, text: text("What is in it"), bytes: { type: "integer" } }, ["path", "text", "bytes"]),
      call: async (input): Promise<Json> => {
        const name = readText(input, "path");
        const bytes = await folderOf(folder).read(name);
        const result = { path: name, text: decodeText(bytes, name), bytes: bytes.byteLength };
        refuseOverflow(result);
        return result;
      },
    }),
    defineTool({
      name: "file.write",
      description: "Puts a text into a file in the folder for flows, in place of what was there",
      effect: "idempotent",
      input: closed({ path, text: { description: "A text; anything else as JSON" } }, ["path", "text"]),
      output: closed({ path, bytes: { type: "integer" } }, ["path", "bytes"]),
      call: async (input): Promise<Json> => {
        const name = readText(input, "path");
        const bytes = Buffer.from(contentOf(input["text"] ?? null));
        await folderOf(folder).write(name, bytes);
        return { path: name, bytes: bytes.byteLength };
      },
    }),
  ];
}

function folderOf(folder: Folder | undefined): Folder {
  if (folder !== undefined) return folder;
  const message = "No folder is set aside for flows yet; whoever runs the engine names one (filesFolder).";
  throw new ToolError({ code: "tool_off", message, isFinal: true });
}

function contentOf(value: Json): string {
  return typeof value === "string" ? value : `${JSON.stringify(value, null, 2)}\n`;
}

function refuseOverflow(result: { readonly path: string; readonly text: string; readonly bytes: number }): void {
  const overflow = describeOverflow(result, result.bytes);
  if (overflow === undefined) return;
  const advice =
    "Divide it into smaller files, or read it in a tool of your own that returns only what the flow needs.";
  const message = `The file "${result.path}" ${overflow}. ${advice}`;
  throw new ToolError({ code: "file_too_large", message, isFinal: true });
}

function decodeText(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    const message = `The file "${name}" is no text in UTF-8.`;
    throw new ToolError({ code: "not_text", message, isFinal: true, cause: error });
  }
}
