// Tools and their servers, users, tokens, secrets and the audit, as somebody sees them who has logged in.

import { copyFileSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openHouse, type House } from "./harness/house.ts";
import { eventually, openWindow, type Window } from "./harness/browser.ts";

const password = "correct horse";
const secret = "a-value-that-nobody-is-shown";

let house: House;
let window: Window;
let page: Page;
/** With a program that a test can take away. */
const folder = mkdtempSync(join(tmpdir(), "stepwell-wren-"));
const wren = join(folder, "wren.mts");

beforeAll(async () => {
  const program = fileURLToPath(new URL("../../test/mcp/badtool.ts", import.meta.url));
  copyFileSync(program, wren);
  const command = process.execPath;
  const mcpServers = { parrot: { command, args: [program] }, wren: { command, args: [wren] } };
  house = await openHouse({ hasDemos: true, mcpServers });
  await house.engine.access.save("ann", { keys: ["130001", "tool:*"], password });
  window = await openWindow(house.address);
  page = window.page;
}, 60_000);

afterAll(async () => {
  await window[Symbol.asyncDispose]();
  await house[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
}, 60_000);

async function logIn(word: string): Promise<void> {
  await page.getByLabel("User").fill("ann");
  await page.getByLabel("Password").fill(word);
  await page.getByRole("button", { name: "Log in" }).click();
}

/** What the browser says of answers that were meant to be so. */
function forgive(status: number): void {
  expect(window.faults.splice(0).filter((fault) => !fault.includes(`status of ${status}`))).toEqual([]);
}

describe("where users are known", () => {
  test("a stranger logs in first; a wrong password is told; then they are where they wanted to go", async () => {
    await page.goto("/inbox?tab=done");
    await page.locator('main[data-page="login"]').waitFor();
    await logIn("wrong horse");
    await page.getByRole("alert").filter({ hasText: "The user or the password is wrong." }).waitFor();
    expect(await page.getByLabel("Password").getAttribute("aria-invalid")).toBe("true");
    await logIn(password);
    await page.locator('main[data-page="inbox"]').waitFor();
    expect(page.url()).toBe(`${house.address}/inbox?tab=done`);
    await page.locator('[data-testid="live"][data-line="live"]').first().waitFor();
    forgive(401);
  });

  test("whose login has ended meanwhile is led to it, asked for nothing there, and comes back", async () => {
    await page.locator('[data-testid="live"][data-line="live"]').first().waitFor();
    await window.context.clearCookies();
    await page.getByRole("link", { name: "Library" }).click();
    await page.locator('main[data-page="login"]').waitFor();
    expect(new URL(page.url()).searchParams.get("to")).toBe("/library");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.getByLabel("User").fill("ann");
    await logIn(password);
    await page.locator('main[data-page="library"]').waitFor();
    await page.locator('[data-testid="live"][data-line="live"]').first().waitFor();
    expect(asked.find((path) => path.startsWith("/api/"))).toBe("/api/login");
    forgive(401);
  });

  test("an address that leads away from here leads home", async () => {
    for (const to of ["//example.com/", "https://example.com/", "/\\example.com/"]) {
      await page.goto(`/login?to=${encodeURIComponent(to)}`);
      await logIn(password);
      await page.locator('main:not([data-page="login"])').waitFor();
      expect(new URL(page.url()).origin).toBe(house.address);
    }
  });
});

describe("tools", () => {
  function server(status: string): Locator {
    return page.locator(`[data-testid="server"][data-server="parrot"][data-status="${status}"]`);
  }

  test("one is tried, and what it answered stands there with its run", async () => {
    await page.goto("/tools?text=demo.echo");
    await page.getByRole("button", { name: "demo.echo" }).click();
    const dialog = page.getByRole("dialog", { name: "demo.echo" });
    await dialog.getByLabel("text", { exact: true }).fill("is anybody there?");
    await dialog.getByTestId("try").click();
    const answer = dialog.getByTestId("answer");
    await answer.getByText("is anybody there?").waitFor();
    const [run] = await house.engine.list({ limitMax: 1 });
    expect(await answer.getByRole("link").textContent()).toBe(`Run ${run?.run.id}`);
    expect(run?.run.createdBy).toBe("ann");
  });

  test("one that takes long is seen to run while it is tried, and for how long", async () => {
    const held = Promise.withResolvers<string>();
    await using slow = await openHouse({ tools: { hold: () => held.promise } });
    await using other = await openWindow(slow.address);
    await other.page.goto("/tools?text=hold");
    await other.page.getByRole("button", { name: "hold", exact: true }).click();
    const dialog = other.page.getByRole("dialog", { name: "hold" });
    await dialog.getByTestId("try").click();
    const trying = dialog.getByTestId("trying");
    await eventually(() => trying.textContent()).toMatch(/^running[1-9].* m?s$/);
    held.resolve("here it is");
    await dialog.getByTestId("answer").getByText("here it is").waitFor();
    expect(await trying.count()).toBe(0);
  });

  test("a server that is killed is red and says why; connected anew, it is green again", async () => {
    await page.goto("/tools");
    await server("ready").getByText("connected").waitFor();
    await page.getByTestId("tool-row").filter({ hasText: "parrot.echo" }).waitFor();
    const { result: pid } = await house.engine.tools.call("parrot.pid", {});
    process.kill(Number(pid), "SIGKILL");
    const gone = server("idle");
    await gone.locator('[data-token="failed"]').filter({ hasText: "ended" }).waitFor();
    await gone.getByText("Its program was ended by SIGKILL.").waitFor();
    await page.getByRole("button", { name: "Connect to parrot anew" }).click();
    await server("ready").locator('[data-token="done"]').waitFor();
    expect(await house.engine.tools.call("parrot.echo", { still: "there" })).toMatchObject({
      result: { still: "there" },
    });
  });
});

describe("a step whose server is gone", () => {
  const line = (): Locator => page.getByTestId("server-line");
  const runStatus = (): Promise<string | null> => page.getByTestId("run-status").getAttribute("data-status");

  async function run(tool: string): Promise<void> {
    const flow = { steps: { ask: { tool, args: { a: 1 }, retry: { attempts: 1 }, done: true } } };
    const { id } = await house.engine.start({ format: "stepwell/v1", ...flow }, { name: "errand" });
    await house.engine.result(id);
    await page.goto(`/runs/${id}?step=ask`);
    await page.getByTestId("inspector").waitFor();
  }

  async function kill(): Promise<void> {
    const { result: pid } = await house.engine.tools.call("wren.pid", {});
    process.kill(Number(pid), "SIGKILL");
    await eventually(async () => (await house.engine.servers.list()).find(({ key }) => key === "wren")?.status).toBe(
      "idle",
    );
  }

  test("says so, which one it is and how it is now; reconnected, the next run is green", async () => {
    await kill();
    renameSync(wren, `${wren}.away`);
    await run("wren.echo");
    expect(await page.getByTestId("sentence").textContent()).toContain(
      'Tool wren.echo failed: server not connected. The server "wren": ',
    );
    await line().getByText("Server not connected").waitFor();
    await line().locator('[data-token="failed"]').waitFor();
    expect(await line().getByRole("link", { name: "wren" }).getAttribute("href")).toBe("/tools");
    renameSync(`${wren}.away`, wren);
    await line().getByRole("button", { name: "Reconnect to wren" }).click();
    await line().and(page.locator('[data-status="ready"]')).getByText("It is connected again").waitFor();
    await run("wren.echo");
    expect(await runStatus()).toBe("completed");
    expect(await line().count()).toBe(0);
  });

  test("a server that was killed is started again by the next call alone", async () => {
    await kill();
    await run("wren.echo");
    expect(await runStatus()).toBe("completed");
  });
});

describe("settings", () => {
  test("the text of a token is shown once; who revokes it sees that it is", async () => {
    await page.goto("/settings?tab=tokens");
    await page.getByRole("button", { name: "Make one" }).click();
    const making = page.getByRole("dialog", { name: "Make an API token" });
    expect(await making.getByLabel("User").inputValue()).toBe("ann");
    await making.getByLabel("Name").fill("for the nightly job");
    await making.getByRole("button", { name: "Make it" }).click();
    const text = (await page.getByTestId("token-text").textContent()) ?? "";
    const ask = (): Promise<Response> =>
      fetch(`${house.address}/api/me`, { headers: { authorization: `Bearer ${text}` } });
    expect((await ask()).status).toBe(200);
    await page.getByRole("button", { name: "I have kept it" }).click();
    const row = page.getByTestId("token-row").filter({ hasText: "for the nightly job" });
    await row.getByText("read, start, signal, cancel, operate, every tool").waitFor();
    await page.reload();
    await row.waitFor();
    expect(await page.content()).not.toContain(text);
    await row.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await row.getByText("revoked").waitFor();
    expect((await ask()).status).toBe(401);
  });

  test("of secrets there are names, and never a value", async () => {
    await page.goto("/settings?tab=secrets");
    await page.getByTestId("empty").getByText("No secrets are kept.").waitFor();
    await page.getByRole("button", { name: "Keep one" }).click();
    const dialog = page.getByRole("dialog", { name: "Keep a secret" });
    await dialog.getByLabel("Name").fill("MAIL_KEY");
    await dialog.getByLabel("Value").fill(secret);
    await dialog.getByRole("button", { name: "Keep it" }).click();
    const table = page.getByRole("region", { name: "Secrets", exact: true }).last();
    await table.getByText("MAIL_KEY").waitFor();
    expect((await house.engine.secrets.list()).map(({ name }) => name)).toEqual(["MAIL_KEY"]);
    const [answer] = await Promise.all([page.waitForResponse("**/api/secrets"), page.reload()]);
    expect(await answer.text()).not.toContain(secret);
    await table.getByText("****").waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  test("a user is added, with what they may", async () => {
    await page.goto("/settings?tab=users");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Add a user or a group" });
    await dialog.getByLabel("Name").fill("ben");
    expect(await dialog.getByLabel("Permission keys").inputValue()).toBe("130001.read 130001.start");
    expect(await dialog.getByLabel("Administer: users, tokens, old runs").isChecked()).toBe(false);
    await dialog.getByText("No tool is given").waitFor();
    await dialog.getByLabel("Permission keys").fill("130001.read");
    const word = dialog.getByLabel("Password");
    await word.fill("short");
    await dialog.getByLabel("Name").focus();
    await dialog.getByRole("button", { name: "Add" }).click();
    const problem = dialog.getByRole("alert").filter({ hasText: "A password has 8 characters at least." });
    await problem.waitFor();
    const isWhole = await problem.evaluate((each) => {
      const { left, bottom } = each.getBoundingClientRect();
      return document.elementFromPoint(left + 2, bottom - 1) === each;
    });
    expect(isWhole).toBe(true);
    expect(await word.getAttribute("aria-invalid")).toBe("true");
    expect(await word.evaluate((field) => field === document.activeElement)).toBe(true);
    await word.fill("another horse");
    expect(await word.getAttribute("aria-invalid")).toBe("false");
    await dialog.getByRole("button", { name: "Add" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("row").filter({ hasText: "ben" }).getByText("130001.read").waitFor();
    await page.getByRole("row").filter({ hasText: "user:local" }).getByText("This machine itself").waitFor();
    expect((await house.engine.access.sessions.open("ben", "another horse")).user).toBe("ben");
  });

  test("what a user may is changed by picking it, or as text; groups go with it", async () => {
    await page.goto("/settings?tab=users");
    const row = page.getByRole("row").filter({ hasText: "ben" });
    await row.getByRole("button", { name: "Edit what ben may" }).click();
    const dialog = page.getByRole("dialog", { name: "What ben may" });
    expect(await dialog.getByLabel("See runs, workflows and tools").isChecked()).toBe(true);
    await dialog.getByLabel("Cancel runs").check();
    await dialog.getByLabel("See runs, workflows and tools").uncheck();
    expect(await dialog.getByLabel("Permission keys").inputValue()).toBe("130001.cancel");
    await dialog.getByLabel("Permission keys").fill("130001 tool:demo.*");
    expect(await dialog.getByLabel("Answer gates").isChecked()).toBe(true);
    expect(await dialog.getByLabel("Answer gates").isDisabled()).toBe(true);
    await dialog.getByLabel("Groups").fill("staff, night");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await row.getByText("everything, the tool demo.*").waitFor();
    const ben = (await house.engine.access.list()).find(({ id }) => id === "user:ben");
    expect(ben).toMatchObject({ keys: ["130001", "tool:demo.*"], groups: ["staff", "night"] });
    expect((await house.engine.access.sessions.open("ben", "another horse")).user).toBe("ben");
    expect(await page.getByRole("button", { name: "Edit what local may" }).count()).toBe(0);
  });

  test("what is no permission is said, and what was written stays", async () => {
    await page.getByRole("button", { name: "Edit what ben may" }).click();
    const dialog = page.getByRole("dialog", { name: "What ben may" });
    await dialog.getByLabel("Permission keys").fill("130001.reed");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByTestId("toast").filter({ hasText: "130001.reed" }).waitFor();
    expect(await dialog.getByLabel("Permission keys").inputValue()).toBe("130001.reed");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    forgive(422);
  });

  test("a password is set, and taken away", async () => {
    await page.goto("/settings?tab=users");
    const open = page.getByRole("button", { name: "Password of ben" });
    await open.click();
    const dialog = page.getByRole("dialog", { name: "Password of ben" });
    await dialog.getByLabel("New password").fill("a third horse");
    await dialog.getByRole("button", { name: "Set it" }).click();
    await dialog.waitFor({ state: "detached" });
    expect((await house.engine.access.sessions.open("ben", "a third horse")).user).toBe("ben");
    await open.click();
    await dialog.getByRole("button", { name: "Take it away" }).click();
    const sure = page.getByRole("dialog", { name: "Take the password of ben away?" });
    await sure.getByRole("button", { name: "Take it away" }).click();
    await sure.waitFor({ state: "detached" });
    await expect(house.engine.access.sessions.open("ben", "a third horse")).rejects.toThrow("wrong");
  });

  test("the only one who can log in and administer does not lock everybody out", async () => {
    await page.getByRole("button", { name: "Edit what ann may" }).click();
    const dialog = page.getByRole("dialog", { name: "What ann may" });
    await dialog.getByLabel("Everything but tools").uncheck();
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByTestId("toast").filter({ hasText: "Nobody would be left who can log in" }).waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.goto("/settings?tab=users");
    await page.getByRole("row").filter({ hasText: "user:ann" }).waitFor();
    expect(await house.engine.access.list()).toContainEqual({ id: "user:ann", groups: [], keys: ["130001", "tool:*"] });
    forgive(409);
  });

  test("rows of every table are as high as somebody likes them", async () => {
    const height = async (): Promise<number> =>
      await page
        .getByRole("table")
        .getByRole("row")
        .last()
        .evaluate((row) => row.getBoundingClientRect().height);
    await page.goto("/settings");
    await page.getByLabel("Rows of tables").selectOption("compact");
    await page.goto("/settings?tab=about");
    await page.getByRole("table").waitFor();
    expect(Math.round(await height())).toBeLessThan(30);
    await page.goto("/settings");
    await page.getByLabel("Rows of tables").selectOption("comfortable");
    await page.goto("/settings?tab=about");
    await page.getByRole("table").waitFor();
    expect(Math.round(await height())).toBeGreaterThanOrEqual(36);
  });

  test("how long ended runs are kept is said, and where it is set", async () => {
    await page.goto("/settings");
    const kept = page.getByTestId("retention");
    await kept.getByText("Ended runs are kept for ever.").waitFor();
    expect(await kept.textContent()).toContain("stepwell.config.yaml");
  });

  test("the audit lists what was done, by whom, and is found by its verb", async () => {
    await page.goto("/settings?tab=audit");
    const rows = page.getByTestId("audit-row");
    await rows.filter({ hasText: "ann" }).first().waitFor();
    const told = (await rows.allTextContents()).join("\n");
    expect(told).toMatch(/secret\.\w+MAIL_KEY/);
    expect(told).toMatch(/token\.\w+/);
    expect(told).not.toContain(secret);
    const [entry] = await house.engine.access.audit();
    await page.getByLabel("Verb").fill(entry?.verb ?? "");
    const verbs = async (): Promise<ReadonlySet<string>> => new Set(await rows.locator("code").allTextContents());
    await eventually(verbs).toEqual(new Set([entry?.verb]));
    expect(new URL(page.url()).searchParams.get("verb")).toBe(entry?.verb);
    await page.reload();
    await eventually(verbs).toEqual(new Set([entry?.verb]));
    await page.goto("/settings?tab=audit&verb=user.save");
    await rows
      .filter({ hasText: "keys: 130001 tool:demo.*, groups: staff night" })
      .or(rows.filter({ hasText: "groups: staff night, keys: 130001 tool:demo.*" }))
      .first()
      .waitFor();
  });

  test("who logs out is a stranger again", async () => {
    await page.goto("/settings");
    await page.getByRole("button", { name: "Log out" }).click();
    await page.locator('main[data-page="login"]').waitFor();
    await page.goto("/runs");
    await page.locator('main[data-page="login"]').waitFor();
    expect(new URL(page.url()).searchParams.get("to")).toBe("/runs");
    forgive(401);
  });
});
