// The page: what is built of ui/ is handed out as it lies in dist/ui. Which files there are is looked up in a list, so that
// no address reaches any other; every other address that a browser wants to see is the page itself, which knows its own.

import { createHash } from "node:crypto";
import { readFile, readdir, stat } from "node:fs/promises";
import { extname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Context } from "hono";
import type { App, Door } from "./door.ts";

/** Where it lies beside this module, whether that was built or not; or where whoever works on the page has built it. */
export const builtPage: string =
  process.env["STEPWELL_PAGE"] ?? fileURLToPath(new URL("../../dist/ui", import.meta.url));

/** What is ours and no page, whatever a browser wants to see there. */
const ours = /^\/(?:(?:api|mcp|metrics)(?:\/|$)|health|workflows\/[^/]+\/export$)/u;

export function isPagePath(path: string): boolean {
  return !ours.test(path);
}

/** To be added last: it takes what nothing else has taken. */
export function addPage(app: App, folder: string): void {
  const files = new PageFiles(folder);
  app.get("*", async (context, next) => {
    const { path } = context.req;
    const wantsPage = path === "/" || (context.req.header("accept") ?? "").includes("text/html");
    if (!isPagePath(path)) return next();
    const found =
      (await files.find(path)) ?? (wantsPage && !isFixed(path) ? await files.find("/index.html") : undefined);
    if (found !== undefined) return answer(context, found);
    if (!wantsPage || isFixed(path)) return next();
    return context.text("The page is not built here. In a clone: npm run build\n", 503);
  });
}

/** The better one first. */
const encodings = ["br", "gzip"] as const;
type Encoding = (typeof encodings)[number];

type PageFile = {
  readonly path: string;
  readonly bytes: Buffer<ArrayBuffer>;
  readonly type: string;
  readonly etag: string;
  /** Made when somebody asks for it, and kept. */
  readonly packed: Map<Encoding, Promise<Buffer<ArrayBuffer>>>;
};

/** However often something is asked for that is not there, the folder is not looked through anew more often. */
const lookAgainMs = 1000;

/** Read when they are asked for, and kept until another page is built. */
class PageFiles {
  readonly #folder: string;
  #builtAt = 0;
  #lookedAgainAt = Number.NEGATIVE_INFINITY;
  /** Whoever asks meanwhile waits for the same. */
  #looking: Promise<void> | null = null;
  #files = new Map<string, Promise<PageFile> | null>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async find(path: string): Promise<PageFile | undefined> {
    await this.#look(isFixed(path) && !this.#files.has(path));
    const files = this.#files;
    const known = files.get(path);
    if (known !== null) return known;
    const reading = readPageFile(this.#folder, path);
    files.set(path, reading);
    // What could not be read may be next time.
    reading.catch(() => files.set(path, null));
    return reading;
  }

  /** `isMissing`: something that belongs to the page is not there; it may have been in the making when it was looked at. */
  async #look(isMissing: boolean): Promise<void> {
    const index = await stat(join(this.#folder, "index.html")).catch(() => undefined);
    if (this.#looking !== null) return this.#looking;
    const builtAt = index?.mtimeMs ?? 0;
    if (builtAt === this.#builtAt) {
      const now = performance.now();
      if (!isMissing || builtAt === 0 || now - this.#lookedAgainAt < lookAgainMs) return;
      this.#lookedAgainAt = now;
    }
    this.#looking = this.#list(builtAt).finally(() => (this.#looking = null));
    return this.#looking;
  }

  /** What is known of the same page stays. */
  async #list(builtAt: number): Promise<void> {
    const paths = builtAt === 0 ? [] : await listPaths(this.#folder);
    const known = builtAt === this.#builtAt ? this.#files : new Map<string, Promise<PageFile>>();
    this.#files = new Map(paths.map((path) => [path, known.get(path) ?? null]));
    this.#builtAt = builtAt;
  }
}

/** As they stand in addresses. */
async function listPaths(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map(({ parentPath, name }) => `/${relative(folder, join(parentPath, name)).split(sep).join("/")}`);
}

async function readPageFile(folder: string, path: string): Promise<PageFile> {
  const bytes = await readFile(join(folder, path));
  const etag = `W/"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  return { path, bytes, type: types[extname(path)] ?? "application/octet-stream", etag, packed: new Map() };
}

const types: { readonly [ending: string]: string | undefined } = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/** Its name has the hash of what is in it. */
function isFixed(path: string): boolean {
  return path.startsWith("/assets/");
}

async function answer(context: Context<Door>, file: PageFile): Promise<Response> {
  const { etag, type, path } = file;
  const caching = isFixed(path) ? "public, max-age=31536000, immutable" : "no-cache";
  const told = { etag, "content-type": type, "cache-control": caching, vary: "accept-encoding" };
  for (const [name, value] of Object.entries({ ...told, ...(path === "/index.html" ? pageHeaders : {}) }))
    context.header(name, value);
  if (isKnown(context.req.header("if-none-match"), etag)) return context.body(null, 304);
  const encoding = chooseEncoding(context.req.header("accept-encoding"), file);
  if (encoding !== null) context.header("content-encoding", encoding);
  const bytes = encoding === null ? file.bytes : await pack(file, encoding);
  context.header("content-length", String(bytes.length));
  return context.body(bytes);
}

function isKnown(header: string | undefined, etag: string): boolean {
  return header !== undefined && header.split(",").some((each) => each.trim() === etag || each.trim() === "*");
}

/** Below this it is not worth it. */
const packedBytesMin = 1024;
const packable = /^(?:text\/|application\/(?:json|manifest)|image\/svg)/u;

function chooseEncoding(header: string | undefined, { type, bytes }: PageFile): Encoding | null {
  if (header === undefined || bytes.length < packedBytesMin || !packable.test(type)) return null;
  const accepted = header.split(",").map((each) => {
    const [name = "", ...parameters] = each.split(";").map((part) => part.trim().toLowerCase());
    return parameters.some((parameter) => /^q=0(?:\.0*)?$/u.test(parameter)) ? "" : name;
  });
  return encodings.find((encoding) => accepted.some((name) => name === encoding)) ?? null;
}

/** Better ones take seconds, and whoever asks first waits for it. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

function pack({ bytes, packed }: PageFile, encoding: Encoding): Promise<Buffer<ArrayBuffer>> {
  const known = packed.get(encoding);
  if (known !== undefined) return known;
  const packing =
    encoding === "br" ? promisify(brotliCompress)(bytes, brotliOptions) : promisify(gzip)(bytes, { level: 7 });
  packed.set(encoding, packing);
  return packing;
}

/** It runs only what came with it, speaks only to where it came from, and stands in no other page. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types stepwell dagre 'allow-duplicates'",
].join("; ");

const pageHeaders: { readonly [name: string]: string } = {
  "content-security-policy": pagePolicy,
  "cross-origin-opener-policy": "same-origin",
};
