import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { flowOf, letterTools } from "./harness/letters.ts";
import { openHouse, type House } from "./harness/house.ts";
import { eventually, openWindow, type Window } from "./harness/browser.ts";

let house: House;
let window: Window;
let page: Page;

beforeAll(async () => {
  house = await openHouse({ tools: letterTools });
  window = await openWindow(house.address);
  page = window.page;
});

afterAll(async () => {
  await window[Symbol.asyncDispose]();
  await house[Symbol.asyncDispose]();
});

const pipeline = `# In order.
name: order
steps:
  - name: one
    tool: app.send
    routes: { odd: 3 }
  # the second
  - name: two
    tool: app.send
  - name: three
    tool: app.send
    done: true
`;

async function open(name: string, text: string): Promise<void> {
  await house.engine.workflows.save(text, { name });
  await page.goto(`/library/${name}/edit`);
  await page.getByTestId("graph-node").first().waitFor();
  await page.locator(".cm-content").waitFor();
}

async function textIn(): Promise<string> {
  return (await page.locator(".cm-line").allTextContents()).join("\n");
}

function form(): Locator {
  return page.getByTestId("form");
}

async function choose(step: string): Promise<void> {
  await page.locator(`[data-testid="graph-node"][data-node-key="${step}"]`).click();
  await form().getByRole("heading", { name: step, exact: true }).waitFor();
}

async function undo(): Promise<void> {
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+z");
}

test("AC-68: the step that is chosen has a form; what is changed in it stands in the text, with all its comments", async () => {
  const before = flowOf("formed");
  await open("formed", before);
  await choose("draft");
  expect(await form().getByLabel("Tool", { exact: true }).inputValue()).toBe("app.write");
  await form().getByLabel("tone").selectOption("dry");
  await eventually(textIn).toContain("tone: dry");
  await form().getByLabel("Title").fill("{{ input.title }}");
  await form().getByLabel("Title").press("Tab");
  await eventually(textIn).toContain('title: "{{ input.title }}"');
  // The field to which one went on is still the one in which one is.
  expect(
    await form()
      .getByLabel("tone")
      .evaluate((field) => field === document.activeElement),
  ).toBe(true);
  await form().getByLabel("How often it is tried").selectOption("5 times");
  await eventually(textIn).toContain("attempts: 5");
  await form().getByLabel("When it has failed for good").selectOption("End workflow");
  await eventually(textIn).toContain("on_error: end");
  await form().getByLabel("How long it may take").fill("soon");
  await form().getByLabel("How long it may take").press("Enter");
  await form().getByRole("alert").filter({ hasText: "Write how long, with a unit" }).waitFor();
  // All else stands as it was written.
  const args = 'args: { title: "{{ input.title }}", tone: dry }';
  const added = "next: post\n    retry:\n      attempts: 5\n    on_error: end\n";
  expect(await textIn()).toBe(before.replace("args: { title: Tides }", args).replace("next: post\n", added));
  for (const _ of Array(4).keys()) await undo();
  await eventually(textIn).toBe(before);
});

test("AC-68: a tool that is not there is told to be missing, and one that is there is chosen instead", async () => {
  await open("missing", flowOf("missing").replace("app.send", "app.sent"));
  await choose("post");
  const tool = form().getByLabel("Tool", { exact: true });
  await form().getByText("There is no tool app.sent here.").waitFor();
  expect(await tool.locator("option:checked").textContent()).toBe("app.sent (missing)");
  const colourOf = (where: Locator): Promise<string> => where.evaluate((element) => getComputedStyle(element).color);
  expect(await colourOf(tool)).toBe(await colourOf(form().getByRole("alert")));
  expect(await tool.getAttribute("aria-invalid")).toBe("true");
  await tool.selectOption("app.send");
  await eventually(textIn).toBe(flowOf("missing"));
});

test("AC-68: in a pipeline steps go up and down and are removed, and numbers go on to mean the same steps", async () => {
  await open("order", pipeline);
  await choose("three");
  await form().getByRole("button", { name: "Move three up" }).click();
  await eventually(textIn).toMatch(/odd: 2[^]*name: three[^]*# the second\n\s*- name: two/);
  await form().getByRole("heading", { name: "three", exact: true }).waitFor();
  await form().getByRole("button", { name: "Remove three" }).click();
  await eventually(textIn).not.toContain("three");
  await undo();
  await undo();
  await eventually(textIn).toBe(pipeline);
  expect(window.faults).toEqual([]);
});

async function savedText(name: string): Promise<string> {
  return (await house.engine.workflows.get(name)).text ?? "";
}

test("AC-68: what is being typed is saved too, by Ctrl+S and by the button, and one goes on typing", async () => {
  await open("typed", flowOf("typed"));
  await choose("draft");
  const title = form().getByLabel("Title");
  await title.fill("Waves");
  await page.keyboard.press("Control+s");
  await page.getByText("Saved as version 2 of typed.").waitFor();
  expect(await savedText("typed")).toContain("title: Waves");
  await eventually(() => page.getByTestId("draft-state").textContent()).toBe("Saved");
  await page.keyboard.press("End");
  await page.keyboard.type(" again");
  expect(await title.inputValue()).toBe("Waves again");
  const timeout = form().getByLabel("How long it may take");
  await timeout.fill("30s");
  await page.keyboard.press("Control+s");
  await page.getByText("Saved as version 3 of typed.").waitFor();
  expect(await savedText("typed")).toMatch(/title: Waves again[^]*timeout: 30s/);
  expect(await timeout.evaluate((field) => field === document.activeElement)).toBe(true);
  await timeout.fill("40s");
  await page.getByTestId("save").click();
  await page.getByText("Saved as version 4 of typed.").waitFor();
  expect(await savedText("typed")).toContain("timeout: 40s");
  expect(window.faults).toEqual([]);
});

test("what is typed stands in the text after a pause, while one goes on typing, and is what is tried", async () => {
  await open("paused", flowOf("paused"));
  await choose("draft");
  const title = form().getByLabel("Title");
  await title.fill("Waves");
  await eventually(textIn).toContain("title: Waves");
  await page.keyboard.press("Home");
  // At once: between two keys of a slow typist there is a pause, too.
  await page.keyboard.insertText("Big ");
  await eventually(textIn).toContain("title: Big Waves");
  await page.keyboard.insertText("blue ");
  expect(await title.inputValue()).toBe("Big blue Waves");
  await page.getByRole("button", { name: "Try step" }).click();
  const dialog = page.getByRole("dialog", { name: "Try app.write" });
  expect(await dialog.getByLabel("Title").inputValue()).toBe("Big blue Waves");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  const timeout = form().getByLabel("How long it may take");
  await timeout.pressSequentially("3");
  await timeout.pressSequentially("0s");
  await eventually(textIn).toContain("timeout: 30s");
  expect(await form().getByRole("alert").count()).toBe(0);
  await undo();
  await eventually(() => timeout.inputValue()).toBe("");
  for (const _ of Array(3).keys()) await undo();
  await eventually(textIn).toBe(flowOf("paused"));
  await eventually(() => title.inputValue()).toBe("Tides");
  expect(window.faults).toEqual([]);
});

test("line ends are saved as they came, whatever is changed", async () => {
  const dos = flowOf("dos").replaceAll("\n", "\r\n");
  await open("dos", dos);
  await choose("post");
  expect(await page.getByTestId("draft-state").textContent()).toBe("Saved");
  await form().getByLabel("How long it may take").fill("30s");
  await page.keyboard.press("Control+s");
  await page.getByText("Saved as version 2 of dos.").waitFor();
  expect(await savedText("dos")).toBe(dos.replace("done: true\r\n", "done: true\r\n    timeout: 30s\r\n"));
});

test("AC-67: without a step the form is about the workflow: its description, its switch, and the name of a new one", async () => {
  await open("about", flowOf("about"));
  await form().getByLabel("Description").fill("Writes and sends");
  await form().getByLabel("Description").press("Tab");
  await eventually(textIn).toContain("description: Writes and sends");
  await form().getByRole("switch", { name: "about is enabled" }).click();
  await form().getByText("Disabled: it is not started").waitFor();
  expect(await house.engine.workflows.get("about")).toMatchObject({ isEnabled: false, version: 1 });
  await undo();
  await page.goto("/new");
  await form().getByLabel("Name *").fill("about");
  await form().getByLabel("Name *").press("Enter");
  await form().getByText("There is a workflow about already.").waitFor();
  await form().getByLabel("Name *").fill("other");
  await form().getByLabel("Name *").press("Enter");
  await eventually(textIn).toContain("name: other");
  await undo();
});

test("Format lays the text out anew, keeps its comments, and can be undone", async () => {
  const wild = flowOf("wild")
    .replace("args: { title: Tides }", "args: {title:   Tides}")
    .replaceAll("\n  ", "\n      ");
  await open("wild", wild);
  await page.getByRole("button", { name: "Format" }).click();
  await eventually(textIn).toBe(flowOf("wild"));
  await undo();
  await eventually(textIn).toBe(wild);
  expect(window.faults).toEqual([]);
});
