// Servers of tools are added, looked at and removed through the page.

import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serveModern, tool } from "../../test/mcp/modern-server.ts";
import { eventually, openWindow, type Window } from "./harness/browser.ts";
import { openHouse, type House } from "./harness/house.ts";
import { findFaults } from "./harness/look.ts";

const program = fileURLToPath(new URL("../../test/mcp/badtool.ts", import.meta.url));
/** The command line of one that works. */
const good = `'${process.execPath}' '${program}'`;

let house: House;
let window: Window;
let page: Page;

beforeAll(async () => {
  house = await openHouse({});
  window = await openWindow(house.address);
  page = window.page;
}, 60_000);

afterAll(async () => {
  await window[Symbol.asyncDispose]();
  await house[Symbol.asyncDispose]();
}, 60_000);

const dialog = (): Locator => page.getByRole("dialog", { name: "Add server" });
const card = (key: string): Locator => page.locator(`[data-testid="server"][data-server="${key}"]`);

async function open(): Promise<void> {
  await page.goto("/tools");
  await page.getByRole("button", { name: "Add server" }).first().click();
  await dialog().waitFor();
}

async function fill(name: string, command: string): Promise<void> {
  await dialog().getByLabel("Name").fill(name);
  await dialog().getByLabel("Command").fill(command);
}

async function press(name: string): Promise<void> {
  await dialog().getByRole("button", { name, exact: true }).click();
}

describe("adding a server", () => {
  test("begins where there is none, tests the program, and then its card and tools are there and can be called", async () => {
    await page.goto("/tools");
    await page.getByTestId("empty").getByRole("button", { name: "Add server" }).click();
    expect(new URL(page.url()).searchParams.get("add")).toBe("program");
    await fill("parrot", good);
    await press("Test");
    const tried = dialog().locator('[data-testid="tried"][data-ok="true"]');
    await tried.getByText("Says what it was told").waitFor();
    expect(await house.engine.servers.list()).toEqual([]);
    await press("Add");
    await dialog().waitFor({ state: "detached" });
    await card("parrot").and(page.locator('[data-status="ready"]')).waitFor();
    await page.getByRole("button", { name: "parrot.echo" }).click();
    await page.getByTestId("try").click();
    await page.getByTestId("answer").waitFor();
    expect(new URL(page.url()).searchParams.get("add")).toBeNull();
  });

  test("a name that is taken is told at the name, and another one takes its place", async () => {
    await open();
    await fill("parrot", `${good} --otherwise`);
    await press("Add without testing");
    await dialog().getByRole("alert").filter({ hasText: 'There is a server "parrot"' }).waitFor();
    expect(await dialog().getByLabel("Name").getAttribute("aria-invalid")).toBe("true");
    await dialog().getByLabel("Name").fill("second");
    expect(await dialog().getByLabel("Name").getAttribute("aria-invalid")).toBe("false");
    await press("Add without testing");
    await card("second").and(page.locator('[data-status="ready"]')).waitFor();
    expect(window.faults.splice(0).filter((fault) => !fault.includes("status of 409"))).toEqual([]);
  });

  test("a program that does not start says why, with its last words, and nothing is added", async () => {
    await open();
    await fill("broken", `'${process.execPath}' -e "console.error('no key was given'); process.exit(3)"`);
    await press("Test");
    const tried = dialog().locator('[data-testid="tried"][data-ok="false"]');
    await tried.getByText("Its program has ended with code 3. Its last words: no key was given").waitFor();
    await fill("broken", "/nowhere/at-all");
    expect(await tried.count()).toBe(0);
    await press("Test");
    await tried.getByText("Its program cannot be started (ENOENT).").waitFor();
    await dialog().getByRole("button", { name: "Add anyway" }).waitFor();
    const folder = dirname(house.store);
    await dialog().getByTestId("programs-folder").getByText(`It runs in ${folder}.`).waitFor();
    await fill("broken", "./nowhere");
    expect(await dialog().getByRole("button", { name: "Add anyway" }).count()).toBe(0);
    await press("Test");
    await tried.getByText(`it was looked for from the folder ${folder}.`).waitFor();
    expect((await house.engine.servers.list()).map(({ key }) => key)).toEqual(["parrot", "second"]);
  });

  test("one that is added all the same is said not to start, until somebody has read it", async () => {
    await open();
    await fill("broken", "/nowhere/at-all");
    await press("Test");
    await press("Add anyway");
    const toast = page.locator('[data-testid="toast"][data-problem="true"]');
    await toast.getByText("broken is added; it does not start: Its program cannot be started (ENOENT).").waitFor();
    expect((await house.engine.servers.list()).map(({ key }) => key)).toContain("broken");
    await house.engine.servers.remove("broken");
  });

  test("what cannot be filled in is told at the form, without the value of anything", async () => {
    await open();
    await fill("needy", good);
    await dialog().getByLabel("Environment").fill("TOKEN=${STEPWELL_TEST_NOBODY_HAS_THIS}");
    await press("Add without testing");
    await dialog().getByTestId("refused").getByText("STEPWELL_TEST_NOBODY_HAS_THIS").waitFor();
    expect(window.faults.splice(0).filter((fault) => !fault.includes("status of 422"))).toEqual([]);
  });

  test("the servers of a pasted mcp.json are added one after the other", async () => {
    await page.goto("/tools?add=paste");
    const command = process.execPath;
    const mcpServers = { wren: { command, args: [program] }, "my/robin": { command, args: [program] } };
    await dialog()
      .getByLabel("An mcp.json")
      .fill(`// mine\n${JSON.stringify({ mcpServers })}`);
    expect(await dialog().getByTestId("candidate").count()).toBe(2);
    expect(await dialog().getByLabel("Name").inputValue()).toBe("wren");
    await press("Test");
    await dialog().locator('[data-testid="tried"][data-ok="true"]').waitFor();
    await press("Add");
    await dialog().getByTestId("candidate").filter({ hasText: "wren" }).getByText("added").waitFor();
    expect(await dialog().getByLabel("Name").inputValue()).toBe("my_robin");
    await press("Add without testing");
    await dialog().waitFor({ state: "detached" });
    await card("wren").getByTestId("server-command").getByText(program).waitFor();
    await card("my_robin").waitFor();
    await page.getByTestId("tool-row").filter({ hasText: "my_robin.echo" }).waitFor();
  });

  test("an address is reached with its headers, and what was filled into them is not shown", async () => {
    process.env["STEPWELL_TEST_TOKEN"] = "a-value-that-nobody-is-shown";
    await using docs = await serveModern([tool("find", { description: "Finds a page" })], {});
    try {
      await page.goto("/tools?add=address");
      await dialog().getByLabel("Name").fill("docs");
      await dialog().getByLabel("URL").fill(docs.url);
      await dialog().getByLabel("Headers").fill("Authorization: Bearer ${STEPWELL_TEST_TOKEN}");
      await press("Test");
      await dialog().locator('[data-testid="tried"][data-ok="true"]').getByText("Finds a page").waitFor();
      await press("Add");
      await card("docs")
        .getByText(/^Address · MCP 2026-07-28 · 1 tool · answers in \d+ ms$/)
        .waitFor();
      expect(docs.asked.at(-1)?.headers["authorization"]).toBe("Bearer a-value-that-nobody-is-shown");
      expect(await page.content()).not.toContain("a-value-that-nobody-is-shown");
      await house.engine.servers.remove("docs");
    } finally {
      delete process.env["STEPWELL_TEST_TOKEN"];
    }
  });

  test("a refusal of the engine is shown as it is told", async () => {
    const detail = "Only who has started the engine may add servers here.";
    const refusal = { status: 403, code: "NOT_ALLOWED", detail, hint: "Log in, or use the command line." };
    await page.route("**/api/servers/test", (route) => route.fulfill({ status: 403, json: refusal }));
    await open();
    await fill("other", good);
    await press("Test");
    const refused = dialog().getByTestId("refused");
    await refused.getByText(detail).waitFor();
    await refused.getByText("Log in, or use the command line.").waitFor();
    await page.unroute("**/api/servers/test");
    expect(window.faults.splice(0).filter((fault) => !fault.includes("status of 403"))).toEqual([]);
  });

  test.each([1280, 320])("the dialog has no fault at %i pixels in either theme", async (width) => {
    await page.setViewportSize({ width, height: 800 });
    try {
      await page.goto("/tools?add");
      await fill("parrot", good);
      await press("Test");
      await dialog().getByTestId("tried").waitFor();
      expect(await findFaults(page, "a program")).toEqual([]);
      await dialog().getByRole("button", { name: "Paste" }).click();
      await dialog()
        .getByLabel("An mcp.json")
        .fill(JSON.stringify({ a: { command: "a" }, b: { url: "x" } }));
      expect(await findFaults(page, "what was pasted")).toEqual([]);
      await dialog().getByRole("button", { name: "Address" }).click();
      await dialog().getByLabel("URL").fill("no address");
      expect(await findFaults(page, "an address")).toEqual([]);
    } finally {
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  });
});

describe("the card of a server", () => {
  test("says what it is, how it speaks and answers, and shows what its program writes", async () => {
    const script = `console.error("ready for calls"); await import(${JSON.stringify(program)})`;
    await house.engine.servers.add("talker", { command: process.execPath, args: ["-e", script] });
    await page.goto("/tools");
    await card("talker")
      .getByText(/^Program · badtool 1 · MCP 2025-11-25 · 2 tools · answers in \d+ ms$/)
      .waitFor();
    const logs = card("talker").getByTestId("logs");
    expect(await logs.getByText("ready for calls").isVisible()).toBe(false);
    await logs.getByText("Logs").click();
    expect(await logs.getByText("ready for calls").isVisible()).toBe(true);
    expect(await card("parrot").getByTestId("logs").count()).toBe(0);
    expect(await findFaults(page, "a card with its logs")).toEqual([]);
    await page.setViewportSize({ width: 320, height: 800 });
    const box = await card("talker").boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(320);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test("whose program was killed says no time of answering, and that the next call starts it again", async () => {
    const { result } = await house.engine.tools.call("talker.pid");
    process.kill(Number(/\d+/u.exec(JSON.stringify(result))?.[0]), "SIGKILL");
    await page.goto("/tools");
    await card("talker")
      .getByText(/^Program · badtool 1 · MCP 2025-11-25 · 2 tools(?: · \d restarts?)? · the next call starts it again$/)
      .waitFor();
    expect(await card("talker").getByText("answers in").count()).toBe(0);
  });
});

test("a lone card fills its row, so that its name is not cut", async () => {
  await using alone = await openHouse({
    mcpServers: {
      "a-server-with-a-rather-long-name": {
        command: process.execPath,
        args: [program],
      },
    },
  });
  await using other = await openWindow(alone.address);
  await other.page.setViewportSize({ width: 768, height: 800 });
  await other.page.goto("/tools");
  const name = other.page.getByTestId("server").getByRole("heading");
  await name.waitFor();
  expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
  const [one, row] = await Promise.all(
    [other.page.getByTestId("server"), other.page.getByRole("region", { name: "Servers" })].map((each) =>
      each.boundingBox(),
    ),
  );
  expect(one?.width).toBe(row?.width);
});

test("tools come and go with their server by themselves, whoever adds or removes it", async () => {
  await page.goto("/tools");
  await card("parrot").waitFor();
  const row = page.getByTestId("tool-row").filter({ hasText: "guest.echo" });
  expect(await row.count()).toBe(0);
  await house.engine.servers.add("guest", { command: process.execPath, args: [program] });
  await row.waitFor();
  await house.engine.servers.remove("guest");
  await row.waitFor({ state: "detached" });
});

describe("removing a server", () => {
  test("names it and who has called its tools, ends its program, and its card and tools are gone", async () => {
    await house.engine.workflows.save({ name: "errand", steps: { ask: { tool: "second.pid", done: true } } });
    const { id } = await house.engine.start("errand");
    await house.engine.result(id);
    await page.goto("/tools");
    await page.getByTestId("tool-row").filter({ hasText: "second.echo" }).waitFor();
    await page.getByRole("button", { name: "Remove second" }).click();
    const asked = page.getByRole("dialog", { name: "Remove the server second?" });
    await asked.getByText("The saved workflow errand has called its tools").waitFor();
    await asked.getByRole("button", { name: "Remove", exact: true }).click();
    await card("second").waitFor({ state: "detached" });
    await eventually(() => page.getByTestId("tool-row").filter({ hasText: "second." }).count()).toBe(0);
    expect((await house.engine.servers.list()).map(({ key }) => key)).not.toContain("second");
  });
});

test("who may not add servers sees why, also at the address of the dialog", async () => {
  await using closed = await openHouse({});
  await closed.engine.access.save("ann", { keys: ["130001", "tool:*"], password: "correct horse" });
  await closed.engine.access.save("rae", { keys: ["130001.read"], password: "correct horse" });
  await using other = await openWindow(closed.address);
  await other.page.goto("/tools?add=paste");
  await other.page.getByLabel("User").fill("rae");
  await other.page.getByLabel("Password").fill("correct horse");
  await other.page.getByRole("button", { name: "Log in" }).click();
  await other.page.locator('main[data-page="tools"]').waitFor();
  const button = other.page.getByRole("button", { name: "Add server" }).first();
  await eventually(() => button.isDisabled()).toBe(true);
  expect(await button.getAttribute("title")).toContain("130001.admin is missing");
  expect(await other.page.getByRole("dialog").count()).toBe(0);
  await other.page.getByTestId("no-adding").getByText("130001.admin is missing").waitFor();
  await other.page.close();
  expect(other.faults.splice(0).filter((fault) => !fault.includes("status of 401"))).toEqual([]);
});
