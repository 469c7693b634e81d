// What others do while a page is open: it is there without a reload.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { findViolations } from "./harness/axe.ts";
import { openHouse } from "./harness/house.ts";
import { eventually, openWindow, takeOtherFaults } from "./harness/browser.ts";
import { openWire } from "./harness/wire.ts";

const password = "correct horse";
const tools = { say: () => "hello" };
const hello = { start: { tool: "say", args: {}, done: true } };

async function untilLive(page: Page): Promise<void> {
  await page.locator('[data-testid="live"][data-line="live"]').first().waitFor();
}

describe("what is kept beside the runs", () => {
  test("a workflow that another saves, switches off or deletes shows in the open library at once", async () => {
    await using house = await openHouse({ tools });
    const { workflows } = house.engine;
    await workflows.save(hello, { name: "first" });
    await using window = await openWindow(house.address);
    const { page } = window;
    await page.goto("/library");
    const rows = page.getByTestId("workflow-row");
    const names = (): Promise<readonly (string | null)[]> =>
      rows.evaluateAll((found) => found.map((row) => row.getAttribute("data-workflow")));
    await eventually(names).toEqual(["first"]);
    await untilLive(page);
    await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
    await workflows.save(hello, { name: "second" });
    await eventually(names).toEqual(["first", "second"]);
    const isOn = page.locator('[data-workflow="second"]').getByRole("switch");
    expect(await isOn.getAttribute("aria-checked")).toBe("true");
    await workflows.disable("second");
    await eventually(() => isOn.getAttribute("aria-checked")).toBe("false");
    await workflows.delete("first");
    await eventually(names).toEqual(["second"]);
    expect(await page.evaluate(() => "isSamePage" in globalThis)).toBe(true);
  });

  test("tokens, secrets and users that another makes or takes away show in their open lists", async () => {
    await using house = await openHouse({ tools });
    const { access, secrets } = house.engine;
    await access.save("ann", { keys: ["130001", "tool:*"], password });
    await using window = await openWindow(house.address);
    const { page } = window;
    await page.request.post("/api/login", { data: { user: "ann", password } });
    const lists = [
      {
        tab: "tokens",
        make: async () => void (await access.tokens.create({ user: "ann", name: "robot" })),
        end: async () => {
          for (const { id, name } of await access.tokens.list()) if (name === "robot") await access.tokens.revoke(id);
        },
        made: page.getByTestId("token-row").filter({ hasText: "robot" }).getByRole("button", { name: "Revoke" }),
      },
      {
        tab: "secrets",
        make: () => secrets.set("MAIL_KEY", "a value"),
        end: () => secrets.remove("MAIL_KEY"),
        made: page.getByRole("button", { name: "Forget MAIL_KEY" }),
      },
      {
        tab: "users",
        make: () => access.save("ben", { keys: ["130001.read"] }),
        end: () => access.remove("ben"),
        made: page.getByRole("button", { name: "Password of ben" }),
      },
    ];
    for (const { tab, make, end, made } of lists) {
      await page.goto(`/settings?tab=${tab}`);
      await page.getByRole("tabpanel").getByRole("button").first().waitFor();
      await untilLive(page);
      expect(await made.count()).toBe(0);
      await make();
      await made.waitFor();
      await end();
      await eventually(() => made.count()).toBe(0);
    }
  });

  test("a tool that comes with another description shows in the inbox, its badge and the list of tools", async () => {
    const folder = mkdtempSync(join(tmpdir(), "stepwell-parrot-"));
    const program = join(folder, "parrot.mts");
    const text = readFileSync(fileURLToPath(new URL("../../test/mcp/badtool.ts", import.meta.url)), "utf8");
    writeFileSync(program, text);
    try {
      const mcpServers = { parrot: { command: process.execPath, args: [program] } };
      await using house = await openHouse({ mcpServers });
      await using window = await openWindow(house.address);
      const { page } = window;
      await page.goto("/inbox");
      await page.locator('main[data-page="inbox"]').waitFor();
      await untilLive(page);
      expect(await page.getByTestId("inbox-count").count()).toBe(0);
      writeFileSync(program, text.replace('"Says what it was told"', '"Says what it was told, louder"'));
      await house.engine.servers.restart("parrot");
      await eventually(() => page.getByTestId("inbox-count").first().textContent()).toBe("1 waiting");
      await page.locator("main").getByText("parrot.echo").first().waitFor();
      await house.engine.lock.approve("parrot");
      await eventually(() => page.getByTestId("inbox-count").count()).toBe(0);
      await page.goto("/tools");
      await page.locator("main").getByText("Says what it was told, louder").first().waitFor();
      await untilLive(page);
      await house.engine.tools.load({ "garden.count": () => 3 });
      await page.locator("main").getByText("garden.count").first().waitFor();
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

type Tell = (fraction: number | null, message?: string) => void;

/** A call that says what the test has it say, and ends when the test ends it. */
function createSlowTool() {
  const begun = Promise.withResolvers<Tell>();
  const over = Promise.withResolvers<void>();
  const slow = async (_args: unknown, { progress }: { progress: Tell }): Promise<string> => {
    begun.resolve(progress);
    await over.promise;
    return "there";
  };
  return { slow, begun: begun.promise, end: () => over.resolve() };
}

describe("how far a call is", () => {
  test("stands on its node and in the inspector as its tool says it, also for who comes later, until it is over", async () => {
    const { slow, begun, end } = createSlowTool();
    await using house = await openHouse({ tools: { slow } });
    const { id } = await house.engine.start({ start: { tool: "slow", done: true } }, { name: "slow" });
    const tell = await begun;
    tell(0.25, "page 3 of 12");
    await using window = await openWindow(house.address);
    const { page } = window;
    await page.goto(`/runs/${id}?step=start`);
    await untilLive(page);
    const bars = page.getByTestId("progress");
    const values = (): Promise<readonly (string | null)[]> =>
      bars.evaluateAll((found) => found.map((bar) => bar.getAttribute("aria-valuenow")));
    await eventually(values).toEqual(["25", "25"]);
    const bar = page.getByRole("progressbar", { name: "How far start is" });
    expect(await bar.getAttribute("aria-valuetext")).toBe("25 %, page 3 of 12");
    await page.getByTestId("graph-node").getByText("page 3 of 12").waitFor();
    expect(await findViolations(page)).toEqual([]);
    tell(0.5, "page 6 of 12");
    await eventually(values).toEqual(["50", "50"]);
    tell(null, "almost there");
    await eventually(values).toEqual([null, null]);
    await page.getByTestId("graph-node").getByText("almost there").waitFor();
    await page.keyboard.press("p");
    await page.locator("html[data-paused]").waitFor({ state: "attached" });
    tell(0.9, "page 11 of 12");
    // Another page shows it by now.
    const other = await window.context.newPage();
    await other.goto(`/runs/${id}?step=start`);
    await other.getByTestId("graph-node").getByText("page 11 of 12").waitFor();
    expect(await values()).toEqual([null, null]);
    await page.keyboard.press("p");
    await eventually(values).toEqual(["90", "90"]);
    end();
    await eventually(() => bars.count()).toBe(0);
    await page.locator('[data-testid="graph-node"][data-status="done"]').waitFor();
  });

  test("the demo that sleeps tells it by itself", async () => {
    await using house = await openHouse({ hasDemos: true });
    await using window = await openWindow(house.address);
    const { page } = window;
    const nap = { tool: "demo.sleep", args: { ms: 4000 }, done: true };
    const { id } = await house.engine.start({ start: { gate: { title: "Ready?" }, next: "nap" }, nap });
    await page.goto(`/runs/${id}?step=nap`);
    await untilLive(page);
    const bar = page.getByRole("progressbar", { name: "How far nap is" });
    // All that it has shown, however shortly.
    await page.evaluate(() => {
      const seen = new Set<string | null>();
      const look = (): void => {
        for (const each of document.querySelectorAll("[role=progressbar]"))
          seen.add(each.getAttribute("aria-valuenow"));
      };
      Object.assign(globalThis, { seen });
      new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
    });
    // It begins when somebody looks.
    const [gate] = (await house.engine.get(id)).steps;
    await house.engine.answer(gate?.id ?? 0, { by: "ann", outcome: "approved" });
    expect((await house.engine.result(id)).status).toBe("completed");
    await eventually(() => bar.count()).toBe(0);
    expect(await page.evaluate<number>("seen.size")).toBeGreaterThan(2);
  });
});

const held = { start: { gate: { title: "Go on?" }, done: true } };

/** Of the runs that are shown. */
function shownRuns(page: Page): Promise<readonly number[]> {
  return page
    .getByTestId("run-row")
    .evaluateAll((rows) => rows.map((row) => Number((row as HTMLElement).dataset["runId"])));
}

describe("a run that is deleted", () => {
  test("goes with others that were chosen, once it was asked; one that is alive stays, and that is said before", async () => {
    await using house = await openHouse({ tools });
    const { engine } = house;
    const ended: number[] = [];
    for (const name of ["one", "two", "three"]) ended.push((await engine.start(hello, { name })).id);
    for (const id of ended) await engine.result(id);
    const { id: alive } = await engine.start(held, { name: "alive" });
    await using window = await openWindow(house.address);
    const { page } = window;
    await page.goto("/runs");
    await untilLive(page);
    await eventually(async () => (await shownRuns(page)).length).toBe(4);
    for (const id of [alive, ...ended.slice(0, 2)])
      await page.locator(`[data-run-id="${id}"]`).getByRole("checkbox").check();
    await page.getByTestId("selection-bar").getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete 2 of 3 runs?" });
    for (const id of [alive, ...ended.slice(0, 2)]) await dialog.getByText(String(id)).waitFor();
    expect(await dialog.textContent()).toMatch(new RegExp(`It has not ended, and stays:alive ${alive}`));
    await dialog.getByRole("button", { name: "Delete 2 of 3" }).click();
    await page.getByTestId("toast").filter({ hasText: "2 deleted." }).waitFor();
    await eventually(() => shownRuns(page)).toEqual([alive, ended[2]]);
    expect((await engine.list({ status: "all" })).map(({ run }) => run.id)).toEqual([alive, ended[2]]);
    await page.getByRole("checkbox", { name: `Select run ${ended[2]} of three` }).check();
    await page.getByTestId("selection-bar").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog", { name: `Delete run ${ended[2]} of three?` }).waitFor();
    await page.getByRole("button", { name: "Keep it" }).click();
    expect(await shownRuns(page)).toEqual([alive, ended[2]]);
  });

  test("from its own menu it is asked by its name and leads to the list; in other tabs it is gone, or says so", async () => {
    await using house = await openHouse({ tools });
    const { engine } = house;
    const runs: number[] = [];
    for (const name of ["one", "two"]) runs.push((await engine.start(hello, { name })).id);
    for (const id of runs) await engine.result(id);
    const [first, second] = runs;
    await using window = await openWindow(house.address);
    await using elsewhere = await openWindow(house.address);
    const [{ page }, { page: list }] = [window, elsewhere];
    const same = await elsewhere.context.newPage();
    await list.goto("/runs");
    await same.goto(`/runs/${first}`);
    for (const each of [list, same]) await untilLive(each);
    await eventually(() => shownRuns(list)).toEqual([second, first]);
    await page.goto(`/runs/${first}`);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    const dialog = page.getByRole("dialog", { name: `Delete run ${first} of one?` });
    await dialog.getByRole("button", { name: "Delete run" }).click();
    await page.locator('main[data-page="runs"]').waitFor();
    await eventually(() => shownRuns(page)).toEqual([second]);
    await eventually(() => shownRuns(list)).toEqual([second]);
    await same.locator('main[data-page="run"]').getByText(`Run ${first} was removed.`).waitFor();
    await same.getByRole("link", { name: "See all runs" }).click();
    await eventually(() => shownRuns(same)).toEqual([second]);
    // The browsers tell of what was looked for and is gone, all of it once they are closed.
    for (const each of [page, list, same]) await each.close();
    for (const { faults } of [window, elsewhere])
      expect(faults.splice(0).filter((fault) => !fault.includes("status of 404"))).toEqual([]);
  });

  test("one that has not ended, and one that another has started, cannot be, and the menu says why", async () => {
    await using house = await openHouse({ tools });
    const { engine } = house;
    await engine.workflows.save(hello, { name: "child" });
    const parent = await engine.start({ start: { flow: "child", done: true } }, { name: "parent" });
    await engine.result(parent.id);
    const child = (await engine.list({ status: "all" })).map(({ run }) => run.id).find((id) => id !== parent.id) ?? 0;
    const alive = await engine.start(held, { name: "alive" });
    await using window = await openWindow(house.address);
    const { page } = window;
    for (const [id, why] of [
      [alive.id, "cancel it first"],
      [child, `It goes with run ${parent.id}`],
    ] as const) {
      await page.goto(`/runs/${id}`);
      await page.getByRole("button", { name: "More", exact: true }).click();
      const entry = page.getByRole("menuitem", { name: "Delete…" });
      expect(await entry.getAttribute("aria-disabled")).toBe("true");
      expect(await entry.textContent()).toContain(why);
    }
  });
});

describe("the line", () => {
  test("two tabs of one browser share one stream, and when the one that holds it is closed the other takes over", async () => {
    await using house = await openHouse({ tools });
    await using window = await openWindow(house.address);
    const { page: first, context } = window;
    await first.goto("/runs");
    await untilLive(first);
    const second = await context.newPage();
    await second.goto("/runs");
    await untilLive(second);
    const streams = async (): Promise<unknown> => {
      const response = await fetch(`${house.address}/api/system`);
      return ((await response.json()) as { readonly streams: number }).streams;
    };
    expect(await streams()).toBe(1);
    const { id: one } = await house.engine.start(hello, { name: "one" });
    for (const page of [first, second]) await eventually(() => shownRuns(page)).toEqual([one]);
    await first.close();
    const { id: two } = await house.engine.start(hello, { name: "two" });
    await eventually(() => shownRuns(second)).toEqual([two, one]);
    await untilLive(second);
    await eventually(streams).toBe(1);
    const { id: three } = await house.engine.start(hello, { name: "three" });
    await eventually(() => shownRuns(second)).toEqual([three, two, one]);
  });

  test("what happens while a page has no connection is there once when it has one again", async () => {
    await using house = await openHouse({ tools });
    const { engine } = house;
    const { id: before } = await engine.start(hello, { name: "before" });
    await engine.result(before);
    await using wire = await openWire(house.address);
    await using window = await openWindow(wire.address);
    const { page } = window;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).search));
    await page.goto("/runs");
    await untilLive(page);
    await eventually(() => shownRuns(page)).toEqual([before]);
    wire.cut();
    await page.locator('[data-testid="live"][data-line="offline"]').first().waitFor();
    const meanwhile: number[] = [];
    for (const name of ["one", "two", "three"]) meanwhile.push((await engine.start(hello, { name })).id);
    for (const id of meanwhile) await engine.result(id);
    expect(await shownRuns(page)).toEqual([before]);
    asked.splice(0);
    wire.mend();
    await untilLive(page);
    await eventually(() => shownRuns(page)).toEqual([...meanwhile.toReversed(), before]);
    for (const id of meanwhile) await page.locator(`[data-run-id="${id}"][data-status="completed"]`).waitFor();
    expect(asked.some((search) => /^\?after=\d+$/.test(search))).toBe(true);
    await page.close();
    expect(takeOtherFaults(window)).toEqual([]);
  });
});
