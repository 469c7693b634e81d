// The values of a run's steps: in which looks they are shown, and where they came from.

import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openWindow, type Window } from "./harness/browser.ts";
import * as flows from "./harness/run-house.ts";
import { visit } from "./harness/visit.ts";

let house: flows.RunHouse;
let window: Window;
let page: Page;

beforeAll(async () => {
  house = await flows.openRunHouse();
  window = await openWindow(house.address);
  ({ page } = window);
});

afterAll(async () => {
  await window[Symbol.asyncDispose]();
  await house[Symbol.asyncDispose]();
});

const inspectorOf = (key: string): Locator => page.locator(`[data-testid="inspector"][data-step="${key}"]`);

async function open(id: number, search = ""): Promise<void> {
  await visit(page, `/runs/${id}${search}`);
  await page.getByTestId("run-status").waitFor();
}

test("the input of a step is shown as it was resolved and as the flow has it, and says where each value came from", async () => {
  const id = await house.finish(flows.forked, { topic: "tides" });
  await open(id, "?step=publish&part=input");
  const publish = inspectorOf("publish");
  await publish.getByRole("tree", { name: "Input", exact: true }).getByText("tides").waitFor();
  await publish.getByRole("button", { name: "Template" }).click();
  await publish
    .getByRole("tree", { name: "Template of the input" })
    .getByText("{{ steps.fetch.result.text }}")
    .waitFor();
  expect(await publish.getByRole("tree", { name: "Input", exact: true }).count()).toBe(0);
  const sources = publish.getByRole("region", { name: "Where each value came from" });
  expect(await sources.locator("dt").allTextContents()).toEqual(["text"]);
  expect(await sources.locator("code").allTextContents()).toEqual(["steps.fetch.result.text"]);
  await sources.getByRole("link", { name: "output of fetch" }).click();
  await inspectorOf("fetch").getByRole("tree", { name: "Output" }).getByText("tides").waitFor();
  expect(new URL(page.url()).search).toBe("?step=fetch&part=output");
  await inspectorOf("fetch").getByRole("tab", { name: "Input" }).click();
  await inspectorOf("fetch").getByRole("link", { name: "the run's input" }).click();
  await page.getByRole("tree", { name: "Input of the run" }).getByText("tides").waitFor();
  await inspectorOf("fetch").waitFor();
});

test("a text that looks like Markdown is drawn as such for whoever wants it: as elements, its links with where they lead", async () => {
  const text = [
    "## News of the *day*",
    "- **One** `thing`",
    "- [Read on](https://a.example/x) or [not](javascript:alert(1))",
    "> said <b>so</b>",
    "![p](https://a.example/p.png)",
  ].join("\n\n");
  const flow = { start: "tell", steps: { tell: { tool: "say", args: { text }, done: true } } };
  await open(await house.finish(flow), "?step=tell&part=output");
  const looks = inspectorOf("tell").getByRole("group", { name: "How to show: Output" });
  await looks.getByRole("button", { name: "Markdown" }).click();
  const drawn = inspectorOf("tell").getByTestId("markdown");
  await drawn.getByRole("heading", { name: "News of the day" }).waitFor();
  expect(await drawn.getByRole("listitem").count()).toBe(2);
  expect(await drawn.locator("strong").textContent()).toBe("One");
  const links = drawn.getByRole("link");
  expect(await links.count()).toBe(1);
  expect(await links.getAttribute("href")).toBe("https://a.example/x");
  expect(await links.getAttribute("rel")).toContain("noopener");
  expect(await drawn.textContent()).toContain("Read on (https://a.example/x) or [not](javascript:alert(1))");
  expect(await drawn.locator("blockquote").textContent()).toBe("said <b>so</b>");
  expect(await drawn.locator("img, b").count()).toBe(0);
});

test("what a gate asks is drawn as Markdown, in the run and in the inbox", async () => {
  const message = "Please **read** it:\n\n1. the letter\n2. [the rules](https://rules.example)";
  const review = { gate: { title: "Send it all?", message }, routes: { approved: "end", rejected: "end" } };
  const id = await house.start({ start: "review", steps: { review, end: { terminal: "cancel" } } });
  await open(id);
  const gate = page.getByTestId("gate");
  await gate.getByTestId("markdown").waitFor();
  expect(await gate.getByTestId("markdown").getByRole("listitem").allTextContents()).toEqual([
    "the letter",
    "the rules (https://rules.example/)",
  ]);
  await visit(page, "/inbox");
  await page.getByTestId("inbox-detail").getByTestId("markdown").locator("strong").getByText("read").waitFor();
  await house.engine.cancel(id);
});

test("an error is told whole, with its code, as it is kept, and leads to the run in which it happened", async () => {
  const inner = { start: "rave", steps: { rave: { tool: "rave", args: {}, retry: false, done: true } } };
  await house.engine.save({ format: "stepwell/v1", ...inner }, { name: "raving" });
  const id = await house.finish({ start: "call", steps: { call: { flow: "raving", retry: false, done: true } } });
  await open(id, "?step=call&part=error");
  const call = inspectorOf("call");
  await call.getByText("It went wrong in").getByRole("link").click();
  await page.waitForURL((url) => url.pathname !== `/runs/${id}`);
  await inspectorOf("rave").getByRole("tab", { name: "Error" }).click();
  const rave = inspectorOf("rave");
  // The outline has no more than its first 2,000 characters.
  await rave.getByRole("group", { name: "Error", exact: true }).getByText("the end of it.").waitFor();
  await rave.getByRole("button", { name: "Raw", exact: true }).click();
  const raw = rave.getByRole("tree", { name: "Raw error" });
  await raw.getByText("code:").waitFor();
  expect(await rave.getByRole("group", { name: "Error", exact: true }).count()).toBe(0);
});
