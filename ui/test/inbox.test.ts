import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/flow/json.ts";
import { openHouse, type House } from "./harness/house.ts";
import { eventually, openWindow, type Window } from "./harness/browser.ts";
import { visit } from "./harness/visit.ts";

const asking: Json = {
  start: { set: {}, next: "review" },
  review: {
    gate: { title: "Publish {{ input.topic }}?" },
    routes: { approved: "publish", rejected: "drop" },
  },
  publish: { tool: "say", args: { text: "published" }, done: true },
  drop: { tool: "say", args: { text: "dropped" }, done: true },
};
const form = {
  type: "object",
  properties: { channel: { enum: ["mail", "chat"], title: "Channel" }, copies: { type: "integer", title: "Copies" } },
};
const asksMore: Json = {
  start: { gate: { title: "Where to?", form }, routes: { approved: "send" } },
  send: { tool: "say", args: { text: "{{ steps.start.result }}" }, done: true },
};
/** Its answer is lost: nobody knows whether somebody was paid. */
const paying: Json = { start: { tool: "pay", effect: "write", args: { to: "ann" }, timeout: "20ms", done: true } };
const astray: Json = {
  start: { tool: "count", branch: [{ if: "result > 50", then: "more" }] },
  more: { tool: "say", args: { text: "more" }, done: true },
};

let house: House;
let window: Window;
let page: Page;

beforeAll(async () => {
  house = await openHouse({
    tools: {
      say: ({ text }: { text?: Json }) => text ?? null,
      count: () => 42,
      pay: (_args: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("Given up.")))),
    },
  });
  window = await openWindow(house.address);
  page = window.page;
}, 60_000);

afterAll(async () => {
  await window[Symbol.asyncDispose]();
  await house[Symbol.asyncDispose]();
}, 60_000);

beforeEach(async () => {
  for (const { run } of await house.engine.list({ status: "live" })) await house.engine.cancel(run.id);
});

async function start(flow: Json, name: string, input: JsonObject = {}): Promise<number> {
  const { id } = await house.engine.start(flow, { name, input });
  return id;
}

async function open(where: Page, title: string): Promise<void> {
  await visit(where, "/inbox");
  await where.getByTestId("inbox-item").filter({ hasText: title }).click();
  await detailIn(where).getByRole("heading", { name: title }).waitFor();
}

function detailIn(where: Page): Locator {
  return where.getByTestId("inbox-detail");
}

function badge(): Locator {
  return page.getByRole("navigation", { name: "Pages" }).first().getByTestId("inbox-count");
}

function toast(where: Page, text: string | RegExp): Locator {
  return where.getByTestId("toast").filter({ hasText: text });
}

describe("a gate", () => {
  test("that is approved lets its run go on, and is counted no more", async () => {
    const id = await start(asking, "publishing", { topic: "tides" });
    await start(asking, "publishing", { topic: "harbours" });
    await open(page, "Publish tides?");
    await eventually(() => badge().textContent()).toMatch(/^2/);
    await detailIn(page).getByText("Approving runs publish -> say").waitFor();
    await detailIn(page).getByLabel("Comment").fill("Well written.");
    await detailIn(page).getByTestId("decide-a").click();
    expect((await house.engine.result(id)).output).toBe("published");
    await toast(page, "Approved. Next: publish.").waitFor();
    await eventually(() => badge().textContent()).toMatch(/^1/);
    await detailIn(page).getByRole("heading", { name: "Publish harbours?" }).waitFor();
    await page.getByTestId("tab-done").click();
    const first = page.getByTestId("decided").first();
    await first.filter({ hasText: "Publish tides?" }).waitFor();
    expect(await first.textContent()).toMatch(/approved.*Well written\./);
  });

  test("says how it is approved from a terminal and by an assistant, to be copied", async () => {
    const id = await start(asking, "publishing", { topic: "whales" });
    await open(page, "Publish whales?");
    const { steps } = await house.engine.get(id);
    const gate = steps.find(({ step }) => step === "review")?.id;
    const elsewhere = detailIn(page).getByTestId("elsewhere");
    await elsewhere.getByText("Approve from elsewhere").click();
    const copy = (label: string): Promise<void> => elsewhere.getByRole("button", { name: `Copy: ${label}` }).click();
    const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
    await copy("Approve by command line");
    await eventually(copied).toBe(`stepwell approve ${gate}`);
    await copy("Approve by MCP");
    await eventually(copied).toContain("tools/call");
    expect(JSON.parse(await copied())).toEqual({
      method: "tools/call",
      params: { name: "run_respond", arguments: { run_id: String(id), step_id: String(gate), answer: "approved" } },
    });
  });

  test("is answered with two strokes of a key; Escape leaves it", async () => {
    const id = await start(asking, "publishing", { topic: "keys" });
    await open(page, "Publish keys?");
    const armed = page.getByTestId("armed");
    await page.keyboard.press("a");
    await armed.filter({ hasText: "Approve? Approving runs publish" }).waitFor();
    await page.keyboard.press("Escape");
    await eventually(() => armed.textContent()).toBe("");
    await page.keyboard.press("Enter");
    expect((await house.engine.get(id)).status).toBe("running");
    await page.keyboard.press("x");
    await armed.filter({ hasText: "Reject? Rejecting runs drop" }).waitFor();
    await page.keyboard.press("a");
    await armed.filter({ hasText: "Approve?" }).waitFor();
    await page.keyboard.press("Enter");
    expect((await house.engine.result(id)).output).toBe("published");
    await page.getByTestId("empty").getByText("Nothing waits for you.").waitFor();
  });

  test("that comes up where another was answered takes nothing that was pressed for that one", async () => {
    await start(asking, "publishing", { topic: "first" });
    const second = await start(asking, "publishing", { topic: "second" });
    await open(page, "Publish first?");
    const approve = detailIn(page).getByTestId("decide-a");
    const box = await approve.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 10);
    await page.mouse.down();
    await page.mouse.up();
    const heading = detailIn(page).getByRole("heading", { name: "Publish second?" });
    await heading.waitFor();
    await eventually(() => heading.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.mouse.down();
    await page.mouse.up();
    await eventually(() => approve.isEnabled()).toBe(true);
    // Still the pointer that has not been moved since.
    await page.mouse.down();
    await page.mouse.up();
    expect(await approve.isEnabled()).toBe(true);
    expect((await house.engine.get(second)).status).toBe("running");
    await page.mouse.move((box?.x ?? 0) + 25, (box?.y ?? 0) + 12);
    await approve.click();
    expect((await house.engine.result(second)).output).toBe("published");
  });

  test("that comes in while the last one is answered is what comes up, not the one that was", async () => {
    const first = await start(asking, "publishing", { topic: "last" });
    await using own = await openWindow(house.address);
    await open(own.page, "Publish last?");
    // What is read of the list from now on comes late.
    const late = Promise.withResolvers<void>();
    await own.page.route(
      (url) => url.pathname === "/api/inbox",
      async (route) => {
        await late.promise;
        await route.continue();
      },
    );
    const second = await start(asking, "publishing", { topic: "newer" });
    await detailIn(own.page).getByTestId("decide-a").click();
    await toast(own.page, "Approved. Next: publish.").waitFor();
    late.resolve();
    await detailIn(own.page).getByRole("heading", { name: "Publish newer?" }).waitFor();
    expect((await house.engine.result(first)).output).toBe("published");
    await house.engine.cancel(second);
  });

  test("is answered by strokes, and not by a key that is held down", async () => {
    const first = await start(asking, "publishing", { topic: "held" });
    const second = await start(asking, "publishing", { topic: "next" });
    await open(page, "Publish held?");
    const armed = page.getByTestId("armed");
    for (const key of ["a", "a", "a", "a"]) await page.keyboard.down(key);
    await armed.filter({ hasText: "Approve?" }).waitFor();
    expect((await house.engine.get(first)).status).toBe("running");
    await page.keyboard.up("a");
    await page.keyboard.down("a");
    expect((await house.engine.result(first)).output).toBe("published");
    await detailIn(page).getByRole("heading", { name: "Publish next?" }).waitFor();
    await eventually(() => detailIn(page).getByTestId("decide-a").isEnabled()).toBe(true);
    for (const key of ["a", "a", "a", "a"]) await page.keyboard.down(key);
    expect(await armed.textContent()).toBe("");
    await page.keyboard.up("a");
    expect((await house.engine.get(second)).status).toBe("running");
  });

  test("that two answer at once is answered by one; the other is told by whom, and that is no error", async () => {
    const id = await start(asking, "publishing", { topic: "both" });
    await using other = await openWindow(house.address);
    await open(page, "Publish both?");
    await open(other.page, "Publish both?");
    // As if the news had not come in yet.
    await other.page.keyboard.press("p");
    await other.page.locator('[data-testid="live"][data-line="paused"]').first().waitFor();
    await detailIn(page).getByTestId("decide-a").click();
    expect((await house.engine.result(id)).output).toBe("published");
    await detailIn(other.page).getByTestId("decide-x").click();
    const told = toast(other.page, /^Already approved by \S+ .*ago\.$/);
    await told.waitFor();
    expect(await told.getAttribute("data-problem")).toBe("false");
    // Where it was looked at, and not beside another question.
    const panel = other.page.getByTestId("empty");
    await panel.getByText(/^Already approved by/).waitFor();
    expect(await panel.textContent()).toContain("Publish both?");
    expect(other.faults.splice(0).filter((fault) => !fault.includes("409"))).toEqual([]);
  });

  test("that somebody else answers meanwhile says so where one looks at it", async () => {
    const id = await start(asking, "publishing", { topic: "elsewhere" });
    await open(page, "Publish elsewhere?");
    const review = (await house.engine.get(id)).steps.find(({ name }) => name === "review");
    await house.engine.reject(review?.id ?? 0, { by: "ann" });
    await page
      .getByTestId("empty")
      .getByText(/^Already rejected by ann \d+ s ago\.$/)
      .waitFor();
    expect(await page.getByTestId("decide-a").count()).toBe(0);
  });

  test("that one of two approvers answers tells the other by whom and when, on a line that is live", async () => {
    const id = await start(asking, "publishing", { topic: "twice" });
    await using other = await openWindow(house.address);
    await open(other.page, "Publish twice?");
    await other.page.locator('[data-testid="live"][data-line="live"]').first().waitFor();
    await open(page, "Publish twice?");
    await detailIn(page).getByLabel("Comment").fill("Go.");
    await detailIn(page).getByTestId("decide-a").click();
    expect((await house.engine.result(id)).output).toBe("published");
    const told = other.page.getByTestId("empty");
    await told.getByText(/^Already approved by \S+ \d+ s ago\.$/).waitFor();
    expect(await told.textContent()).toContain("Publish twice?: Go.");
    await told.getByRole("link", { name: "Look at its run" }).click();
    await other.page.locator('main[data-page="run"]').waitFor();
  });

  test("with a form is sent what was filled in; what stands for nothing is not", async () => {
    const id = await start(asksMore, "sending");
    await open(page, "Where to?");
    const detail = detailIn(page);
    await detail.getByLabel("Channel").selectOption({ label: "chat" });
    const copies = detail.getByLabel("Copies");
    await copies.fill("many");
    await detail.getByText('"many" is no number.').waitFor();
    expect(await copies.getAttribute("aria-invalid")).toBe("true");
    await eventually(() => detail.getByTestId("decide-a").isDisabled()).toBe(true);
    await copies.fill("3");
    await eventually(() => detail.getByTestId("decide-a").isEnabled()).toBe(true);
    await detail.getByTestId("decide-a").click();
    await house.engine.result(id);
    const [gate] = (await house.engine.get(id)).steps;
    expect(gate?.result).toMatchObject({ channel: "chat", copies: 3 });
  });
});

test("what is approved has the looks that it has in a run, and what is large is loaded where one decides", async () => {
  const ships = [
    { town: "Bremen", ships: 12 },
    { town: "Hull", ships: 7 },
  ];
  const review = { gate: { title: "Count them?" }, routes: { approved: "end", rejected: "end" } };
  const flow = (set: Json): Json => ({ start: { set, next: "review" }, review, end: { terminal: "cancel" } });
  await start(flow({ ships, report: "# Ships\n\n- many" }), "harbour");
  await open(page, "Count them?");
  const data = detailIn(page).getByRole("region", { name: "What is approved" });
  await data.getByRole("button", { name: "Table" }).click();
  expect(await data.getByRole("columnheader").allTextContents()).toEqual(["#", "town", "ships"]);
  await data.getByRole("button", { name: "Markdown" }).click();
  await data.getByRole("heading", { name: "Ships" }).waitFor();
  await data.getByRole("button", { name: "Text" }).click();
  await data.getByText('"town": "Hull"').waitFor();
  await start(flow({ list: Array.from({ length: 4000 }, (_none, at) => `number ${at} of a list`) }), "large");
  await visit(page, "/inbox");
  await page.getByTestId("inbox-item").filter({ hasText: "large" }).click();
  await data.getByText(/kB, not loaded$/).waitFor();
  await data.getByRole("button", { name: "Load" }).click();
  await data.getByRole("tree", { name: "What is approved" }).getByText("4000 items").waitFor();
  await data.getByRole("button", { name: "Text" }).click();
  await data.getByText("number 7 of a list").waitFor();
  expect(new URL(page.url()).pathname).toBe("/inbox");
});

describe("a gate whose form needs something", () => {
  const needed = { ...form, required: ["copies"] };
  const asks = {
    start: { gate: { title: "How many?", form: needed }, next: "send" },
    send: { tool: "say", done: true },
  };

  test("is not approved without it: the field says so, and what was written stays", async () => {
    const id = await start(asks, "needing");
    await open(page, "How many?");
    const detail = detailIn(page);
    await detail.getByLabel("Comment").fill("Looks good");
    await detail.getByTestId("decide-a").click();
    await detail.getByText("This is needed.").waitFor();
    expect(await detail.getByLabel("Copies").getAttribute("aria-invalid")).toBe("true");
    expect(await detail.getByLabel("Comment").inputValue()).toBe("Looks good");
    await detail.getByLabel("Copies").fill("2");
    await detail.getByTestId("decide-a").click();
    await house.engine.result(id);
    expect((await house.engine.get(id)).steps[0]?.result).toEqual({ copies: 2 });
  });

  test("that only the server finds wrong is told in its words, and waits on", async () => {
    const strict = { type: "object", properties: { copies: { type: "integer", title: "Copies", maximum: 3 } } };
    await start({ ...asks, start: { gate: { title: "Few?", form: strict }, next: "send" } }, "strict");
    await open(page, "Few?");
    const detail = detailIn(page);
    await detail.getByLabel("Copies").fill("9");
    await detail.getByTestId("decide-a").click();
    await toast(page, /"copies" must be <= 3/).waitFor();
    expect(await detail.getByLabel("Copies").inputValue()).toBe("9");
    expect(window.faults.splice(0).filter((fault) => !fault.includes("409"))).toEqual([]);
  });
});

describe("a step of which nobody knows the end", () => {
  test("goes on with what a person says it answered", async () => {
    const id = await start(paying, "paying");
    await eventually(async () => (await house.engine.get(id)).steps[0]?.status).toBe("uncertain");
    await page.goto("/inbox");
    await page.locator('[data-testid="inbox-item"][data-kind="uncertain"]').click();
    const detail = detailIn(page);
    await detail.getByText("If it did happen, it happens twice.").waitFor();
    const result = detail.getByLabel("What it answered, if it happened");
    await result.fill("{");
    await eventually(() => detail.getByRole("button", { name: "It happened" }).isDisabled()).toBe(true);
    await result.fill('{"receipt": 17}');
    await detail.getByRole("button", { name: "It happened" }).click();
    expect(await house.engine.result(id)).toMatchObject({ status: "completed", output: { receipt: 17 } });
    await eventually(() => badge().count()).toBe(0);
  });

  test("whose run has no branch that matches goes where a person says", async () => {
    const id = await start(astray, "astray");
    await page.goto("/inbox");
    await page.locator('[data-testid="inbox-item"][data-kind="no_branch_matched"]').click();
    await detailIn(page).getByText("42").first().waitFor();
    await detailIn(page).getByRole("button", { name: "Go on with more" }).click();
    expect(await house.engine.result(id)).toMatchObject({ status: "completed", output: "more" });
    await page.getByTestId("empty").getByText("Nothing waits for you.").waitFor();
  });
});
