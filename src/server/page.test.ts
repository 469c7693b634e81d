import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createWorld } from "../testing/engine.ts";
import { createService, type Service } from "../testing/service.ts";

const index = "<!doctype html><title>Stepwell</title>";
const script = "export const words = 1;\n".repeat(200);

let folder: string;
let service: Service;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  folder = mkdtempSync(join(tmpdir(), "stepwell-page-"));
  const page = join(folder, "ui");
  mkdirSync(join(page, "assets"), { recursive: true });
  for (const [name, text] of Object.entries({
    "index.html": index,
    "theme.js": "1;",
    "favicon.svg": "<svg/>",
    "assets/main-Dx81.js": script,
    "assets/main-C0ff.css": "a{}",
    "assets/inter-77.woff2": "font",
    ".hidden": "secret",
    "../outside.txt": "secret",
  }))
    writeFileSync(join(page, name), text);
  symlinkSync(join(folder, "outside.txt"), join(page, "link.txt"));
  service = await createService(createWorld("memory"), { app: { page } });
});

afterEach(async () => {
  vi.useRealTimers();
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

type Headed = Readonly<Record<string, string>>;

function ask(path: string, headers: Headed = {}, method = "GET"): Promise<Response> {
  return service.fetch(new Request(`http://localhost${path}`, { method, headers: { host: "localhost", ...headers } }));
}

const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

describe("the page", () => {
  test("is what a browser gets wherever nothing else is", async () => {
    for (const path of ["/", "/workflows", "/runs/17", "/workflows/hello", "/index.html", "/no/such/page?a=b"]) {
      const response = await ask(path, browser);
      expect([path, response.status, await response.text()]).toEqual([path, 200, index]);
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(response.headers.get("cache-control")).toBe("no-cache");
    }
    expect(await (await ask("/")).text()).toBe(index);
  });

  test("runs only what came with it, and stands in no other page", async () => {
    const { headers } = await ask("/", browser);
    const policy = headers.get("content-security-policy") ?? "";
    for (const rule of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"])
      expect(policy.split("; ")).toContain(rule);
    expect(policy).not.toContain("unsafe-eval");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    // What is no page has nothing to run.
    expect((await ask("/theme.js")).headers.get("content-security-policy")).toBe(
      "default-src 'none'; frame-ancestors 'none'",
    );
  });

  test("is not what a program gets, and stands in the way of nothing that is ours", async () => {
    for (const path of ["/nothing", "/assets/main-0000.js"]) {
      const response = await ask(path, { accept: "application/json" });
      expect([path, response.status]).toEqual([path, 404]);
    }
    for (const path of ["/api/nothing", "/api", "/mcp/nothing", "/healthy", "/assets/main-0000.js"]) {
      const response = await ask(path, browser);
      expect([path, response.status, await response.json()]).toMatchObject([path, 404, { code: "NO_SUCH_ROUTE" }]);
    }
    expect(await (await ask("/health", browser)).json()).toMatchObject({ status: "ok" });
    expect(await (await ask("/api/workflow", browser)).json()).toEqual([]);
    expect((await ask("/workflows/none/export", browser)).status).toBe(404);
    expect((await ask("/workflows", browser, "POST")).status).toBe(404);
  });
});

describe("its files", () => {
  test.each([
    ["/theme.js", "text/javascript; charset=utf-8", "no-cache"],
    ["/favicon.svg", "image/svg+xml", "no-cache"],
    ["/assets/main-Dx81.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"],
    ["/assets/main-C0ff.css", "text/css; charset=utf-8", "public, max-age=31536000, immutable"],
    ["/assets/inter-77.woff2", "font/woff2", "public, max-age=31536000, immutable"],
  ])("%s is %s", async (path, type, caching) => {
    const { status, headers } = await ask(path);
    expect([status, headers.get("content-type"), headers.get("cache-control")]).toEqual([200, type, caching]);
  });

  test("are sent once: who has them is told so", async () => {
    const etag = (await ask("/")).headers.get("etag") ?? "";
    const again = await ask("/", { "if-none-match": `"other", ${etag}` });
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
    expect((await ask("/", { "if-none-match": '"other"' })).status).toBe(200);
  });

  test("are packed for whoever can unpack them", async () => {
    const path = "/assets/main-Dx81.js";
    const packed = async (accepted: string): Promise<readonly [string | null, Buffer]> => {
      const response = await ask(path, { "accept-encoding": accepted });
      expect(response.headers.get("vary")).toBe("accept-encoding");
      return [response.headers.get("content-encoding"), Buffer.from(await response.arrayBuffer())];
    };
    const [brotli, smaller] = await packed("gzip, deflate, br, zstd");
    expect([brotli, brotliDecompressSync(smaller).toString()]).toEqual(["br", script]);
    const [gzip, small] = await packed("br;q=0, gzip;q=0.5");
    expect([gzip, gunzipSync(small).toString()]).toEqual(["gzip", script]);
    expect(await packed("identity")).toEqual([null, Buffer.from(script)]);
    expect(Math.max(small.length, smaller.length)).toBeLessThan(script.length / 4);
    // Too small, or packed already.
    for (const other of ["/theme.js", "/assets/inter-77.woff2"])
      expect((await ask(other, { "accept-encoding": "br" })).headers.get("content-encoding")).toBeNull();
  });

  test("can be asked after without being sent", async () => {
    const response = await ask("/assets/main-Dx81.js", {}, "HEAD");
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(response.headers.get("content-length")).toBe(String(script.length));
  });

  test.each([
    "/../outside.txt",
    "/%2e%2e/outside.txt",
    "/..%2foutside.txt",
    "/assets/..%5c..%5coutside.txt",
    "//etc/hosts",
  ])("%s leads nowhere else", async (path) => {
    const response = await ask(path);
    expect([response.status, (await response.text()).includes("secret")]).toEqual([404, false]);
  });

  test("are those that were built: nothing hidden, and no way to elsewhere", async () => {
    for (const path of ["/.hidden", "/link.txt", "/assets", "/assets/"]) expect((await ask(path)).status).toBe(404);
  });

  test("of a page that was built anew are the new ones", async () => {
    expect((await ask("/assets/main-Dx81.js")).status).toBe(200);
    const page = join(folder, "ui");
    rmSync(join(page, "assets/main-Dx81.js"));
    writeFileSync(join(page, "assets/main-Ab12.js"), "2;");
    writeFileSync(join(page, "index.html"), "<!doctype html>new");
    utimesSync(join(page, "index.html"), new Date(), new Date(Date.now() + 5000));
    expect(await (await ask("/")).text()).toBe("<!doctype html>new");
    expect((await ask("/assets/main-Ab12.js")).status).toBe(200);
    expect((await ask("/assets/main-Dx81.js")).status).toBe(404);
  });

  test("are found also when the page was asked for while it was in the making", async () => {
    expect((await ask("/")).status).toBe(200);
    expect((await ask("/assets/late-Zz99.js")).status).toBe(404);
    writeFileSync(join(folder, "ui/assets/late-Zz99.js"), "3;");
    vi.advanceTimersByTime(1000);
    expect((await ask("/assets/late-Zz99.js")).status).toBe(200);
  });

  test("are looked for anew once a second at most, however often something is asked for that is not there", async () => {
    expect((await ask("/assets/late-Zz99.js")).status).toBe(404);
    expect((await ask("/assets/late-Zz99.js")).status).toBe(404);
    writeFileSync(join(folder, "ui/assets/late-Zz99.js"), "3;");
    vi.advanceTimersByTime(999);
    expect((await ask("/assets/late-Zz99.js")).status).toBe(404);
    vi.advanceTimersByTime(1);
    expect((await ask("/assets/late-Zz99.js")).status).toBe(200);
  });

  test("stay as they are known, whatever else is asked for", async () => {
    const path = "/assets/main-Dx81.js";
    expect((await ask(path)).status).toBe(200);
    writeFileSync(join(folder, "ui", path), "4;");
    for (const missing of ["/assets/a.js", "/assets/b.js"]) {
      vi.advanceTimersByTime(1000);
      expect((await ask(missing)).status).toBe(404);
    }
    expect(await (await ask(path)).text()).toBe(script);
  });

  test("that could not be read are read when they can be", async () => {
    const [path, aside] = [join(folder, "ui/theme.js"), join(folder, "theme.js")];
    expect((await ask("/")).status).toBe(200);
    renameSync(path, aside);
    expect((await ask("/theme.js")).status).toBe(500);
    renameSync(aside, path);
    expect((await ask("/theme.js")).status).toBe(200);
  });
});

describe("a page that was not built", () => {
  test("is told of in a sentence, and the rest works", async () => {
    rmSync(join(folder, "ui"), { recursive: true });
    const response = await ask("/", browser);
    expect([response.status, await response.text()]).toEqual([503, expect.stringContaining("npm run build")]);
    expect((await ask("/health")).status).toBe(200);
  });
});

describe("a link on another site", () => {
  const link = {
    ...browser,
    "sec-fetch-site": "cross-site",
    "sec-fetch-mode": "navigate",
    "sec-fetch-dest": "document",
  };

  test("leads to the page", async () => {
    for (const path of ["/", "/workflows", "/runs/17"]) expect((await ask(path, link)).status).toBe(200);
  });

  test("never leads to what is ours, however it is spelt", async () => {
    const paths = ["/api/workflow", "/%61pi/workflow", "/health", "/metrics", "/mcp", "/workflows/hello/export"];
    for (const path of paths) {
      const response = await ask(path, link);
      expect([path, response.status, await response.json()]).toMatchObject([
        path,
        403,
        { details: { code: "foreign_origin" } },
      ]);
    }
  });

  test("shows nothing inside another page, loads nothing into it and sends nothing", async () => {
    for (const [name, value] of [
      ["sec-fetch-dest", "iframe"],
      ["sec-fetch-mode", "no-cors"],
    ] as const)
      expect((await ask("/", { ...link, [name]: value })).status).toBe(403);
    expect((await ask("/", link, "POST")).status).toBe(403);
    expect((await ask("/", { ...link, host: "evil.example" })).status).toBe(403);
    expect((await ask("/", { ...link, origin: "https://evil.example" })).status).toBe(403);
  });
});
