// The two language services that editors use, without an editor: what they would offer at a place, and what they would
// underline.

import {
  getLanguageService as openJson,
  TextDocument,
  type CompletionItem,
  type Diagnostic,
} from "vscode-json-languageservice";
import { getLanguageService as openYaml } from "yaml-language-server";
import type { JsonObject } from "../../src/flow/json.ts";

export type Editor = {
  /** The labels offered at the mark `|` in the text, sorted. */
  readonly complete: (text: string) => Promise<readonly string[]>;
  /** What is underlined: `line: message`, lines from 1, in their order. */
  readonly diagnose: (text: string) => Promise<readonly string[]>;
  /** What is shown over the mark `|`. */
  readonly hover: (text: string) => Promise<string>;
};

const uri = "https://stepwell.dev/schema/flow.json";

function refuse(address: string): Promise<string> {
  return Promise.reject(new Error(`The schema asks for ${address}, but it must stand on its own.`));
}

const workspaceContext = { resolveRelativePath: (path: string): string => path };

export function jsonEditor(schema: JsonObject): Editor {
  const service = openJson({ schemaRequestService: refuse, workspaceContext });
  service.configure({ validate: true, schemas: [{ uri, fileMatch: ["*.json"], schema }] });
  return {
    complete: async (text) => {
      const { document, position } = openText("json", text);
      const list = await service.doComplete(document, position, service.parseJSONDocument(document));
      return labels(list?.items ?? []);
    },
    diagnose: async (text) => {
      const { document } = openText("json", text);
      return problems(await service.doValidation(document, service.parseJSONDocument(document)));
    },
    hover: async (text) => {
      const { document, position } = openText("json", text);
      return plain(await service.doHover(document, position, service.parseJSONDocument(document)));
    },
  };
}

export function yamlEditor(schema: JsonObject): Editor {
  const service = openYaml({ schemaRequestService: refuse, workspaceContext });
  service.configure({
    validate: true,
    completion: true,
    hover: true,
    schemas: [{ uri, fileMatch: ["*.yaml"], schema }],
  });
  return {
    complete: async (text) => {
      const { document, position } = openText("yaml", text);
      return labels((await service.doComplete(document, position, false)).items);
    },
    diagnose: async (text) => problems(await service.doValidation(openText("yaml", text).document, false)),
    hover: async (text) => {
      const { document, position } = openText("yaml", text);
      return plain(await service.doHover(document, position));
    },
  };
}

type Opened = { readonly document: TextDocument; readonly position: ReturnType<TextDocument["positionAt"]> };

let version = 0;

function openText(language: "json" | "yaml", text: string): Opened {
  const offset = text.indexOf("|");
  // The YAML service keeps what it has read, by name and version.
  version += 1;
  const document = TextDocument.create(`file:///flow.${language}`, language, version, text.replace("|", ""));
  return { document, position: document.positionAt(Math.max(0, offset)) };
}

function labels(items: readonly CompletionItem[]): readonly string[] {
  return [...new Set(items.map((item) => item.label))].toSorted();
}

function problems(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics
    .toSorted((one, other) => one.range.start.line - other.range.start.line)
    .map(({ range, message }) => `${range.start.line + 1}: ${typeof message === "string" ? message : message.value}`);
}

function plain(hover: { readonly contents: unknown } | null): string {
  return JSON.stringify(hover?.contents ?? "");
}
