import { readFile } from "node:fs/promises";
import type { Download, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openHouse, type House } from "./harness/house.ts";
import { eventually, openWindow, type Window } from "./harness/browser.ts";
import { visit } from "./harness/visit.ts";

const tools = { say: ({ text }: { text?: string }) => ({ text }) };

/** As somebody writes it, with a comment. */
function flowOf(name: string, text: string, description = ""): string {
  return `# Says something.
name: ${name}
${description === "" ? "" : `description: ${description}\n`}steps:
  speak:
    tool: say
    args: { text: ${text} }
    done: true
`;
}

let house: House;
let window: Window;
let page: Page;

beforeAll(async () => {
  house = await openHouse({ tools });
  const { engine } = house;
  for (const [name, description] of [
    ["digest", "Tells what is new"],
    ["harbour", "Counts ships"],
    ["tides", "When the water comes"],
  ] as const)
    await engine.workflows.save(flowOf(name, "hello", description));
  for (const _ of Array(2).keys()) await engine.result((await engine.start("digest")).id);
  await engine.start("digest", { at: "tomorrow at 9am" });
  window = await openWindow(house.address);
  page = window.page;
});

afterAll(async () => {
  await window[Symbol.asyncDispose]();
  await house[Symbol.asyncDispose]();
});

function rowOf(name: string): Locator {
  return page.locator(`[data-testid="workflow-row"][data-workflow="${name}"]`);
}

function names(): Promise<readonly (string | null)[]> {
  return page.getByTestId("workflow-row").evaluateAll((rows) => rows.map((row) => row.getAttribute("data-workflow")));
}

async function openList(search = ""): Promise<void> {
  await page.goto(`/library${search}`);
  await page.getByTestId("workflow-row").first().waitFor();
}

async function choose(name: string, entry: string): Promise<void> {
  await page.getByRole("button", { name: `More about ${name}`, exact: true }).click();
  await page.getByRole("menuitem", { name: entry }).click();
}

async function exportFrom(name: string): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent("download"), choose(name, "Export")]);
  return download;
}

async function openImport(entry: "Import a file" | "Paste"): Promise<Locator> {
  await page.getByTestId("new-workflow").click();
  await page.getByRole("menuitem", { name: entry }).click();
  return page.getByRole("dialog");
}

async function give(dialog: Locator, name: string, text: string): Promise<void> {
  const file = { name, mimeType: "text/plain", buffer: Buffer.from(text) };
  await dialog.getByLabel("File to import").setInputFiles(file);
}

/** The page of a workflow to which one was led. */
async function arriveAt(name: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
  await eventually(() => decodeURIComponent(new URL(page.url()).pathname)).toBe(`/library/${name}`);
}

/** The browser says of every answer that refuses something that it could not be loaded. */
function expectRefusals(status: number): void {
  expect(window.faults.splice(0).filter((fault) => !fault.includes(String(status)))).toEqual([]);
}

async function savedNames(): Promise<readonly string[]> {
  return (await house.engine.workflows.list()).map(({ name }) => name);
}

describe("the list of workflows", () => {
  test("AC-66: where nothing is saved it says No workflows yet, and offers the ways to one", async () => {
    await using empty = await openHouse();
    await using other = await openWindow(empty.address);
    await other.page.goto("/library");
    await other.page.getByTestId("empty").getByText("No workflows yet").waitFor();
    // Five to begin with, drawn as they are: of branches, a fork, a failure, a machine.
    const several = other.page.getByTestId("example").filter({ hasText: "Several at once" });
    await several.getByTestId("thumbnail").waitFor();
    expect(await other.page.getByTestId("example").count()).toBe(5);
    const steps = await several.locator("[data-step]").evaluateAll((all) => all.map((each) => each.textContent));
    expect(steps.toSorted()).toEqual(["collect", "quick", "rate", "slow", "split"]);
    expect(
      await several.locator("rect").evaluateAll((all) => new Set(all.map((each) => each.getAttribute("y"))).size),
    ).toBeLessThan(5);
    await other.page.getByTestId("empty").getByTestId("new-workflow").click();
    await eventually(() => other.page.getByRole("menuitem").allTextContents()).toEqual([
      "Blank",
      "From an example",
      "Import a file",
      "Paste",
    ]);
    await other.page.getByRole("menuitem", { name: "From an example" }).click();
    await other.page.getByTestId("example").filter({ hasText: "Ask a person" }).getByRole("link").click();
    await other.page.locator('main[data-page="editor"]').waitFor();
    expect(await other.page.getByLabel("Name of the workflow").inputValue()).toBe("approval");
  });

  test("AC-66: tells of each its name and description, how its runs went, when the next one begins, and whether it is on", async () => {
    await openList();
    expect(await page.getByRole("columnheader").allTextContents()).toEqual([
      "Name",
      "Last runs",
      "Runs",
      "Success",
      "p50 / p95",
      "Next",
      "Steps",
      "Enabled",
      "Actions",
    ]);
    const digest = rowOf("digest");
    await digest.getByRole("link", { name: "Last runs of digest: 2 completed, 1 scheduled" }).waitFor();
    const cells = digest.getByRole("cell");
    expect(await cells.nth(0).innerText()).toMatch(/^digest\s+Tells what is new$/);
    expect(await cells.nth(2).textContent()).toBe("3");
    expect(await cells.nth(3).textContent()).toBe("100 %");
    expect(await cells.nth(4).textContent()).toMatch(/^\d.* \/ \d/);
    expect(await cells.nth(5).textContent()).toMatch(/^in \d/);
    expect(await digest.getByRole("switch", { name: "digest is enabled" }).getAttribute("aria-checked")).toBe("true");
    expect(await rowOf("harbour").getByRole("cell").nth(1).textContent()).toBe("Never run");
    expect(await rowOf("harbour").getByRole("cell").nth(5).textContent()).toBe("–");
  });

  test("AC-66: is filtered by name; what is looked for stands in the address", async () => {
    await openList();
    const field = page.getByRole("searchbox", { name: /^Filter workflows/ });
    await field.fill("TID");
    await eventually(names).toEqual(["tides"]);
    expect(new URL(page.url()).searchParams.get("text")).toBe("TID");
    await page.reload();
    await eventually(names).toEqual(["tides"]);
    expect(await field.inputValue()).toBe("TID");
    await field.fill("nobody");
    await page.getByText('No workflow is called like "nobody".').waitFor();
    await page.getByRole("navigation").getByRole("link", { name: "Library", exact: true }).first().click();
    await eventually(names).toContain("digest");
    expect(await field.inputValue()).toBe("");
  });

  test("AC-66: leads to the runs of one, and to its editor", async () => {
    await openList();
    await choose("digest", "Runs");
    await page.locator('main[data-page="runs"]').waitFor();
    expect(new URL(page.url()).searchParams.get("workflow")).toBe("digest");
    await page.goBack();
    await rowOf("digest").waitFor();
    await choose("digest", "Edit");
    await page.getByRole("heading", { level: 1, name: "Edit digest" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/library/digest/edit");
  });

  test("AC-66: a clone has a name of its own and is off until it is turned on", async () => {
    await openList();
    await choose("harbour", "Clone");
    await page.getByTestId("toast").filter({ hasText: "is a copy of harbour" }).waitFor();
    const copy = (await savedNames()).find((name) => name.startsWith("harbour") && name !== "harbour") ?? "";
    await arriveAt(copy);
    const turn = page.getByRole("switch", { name: `${copy} is enabled` });
    expect(await turn.getAttribute("aria-checked")).toBe("false");
    expect((await house.engine.workflows.get(copy)).flow).toMatchObject({ steps: { speak: { tool: "say" } } });
    await house.engine.workflows.delete(copy);
  });

  test("AC-66: one is deleted when that was asked and said again, and the filter stays", async () => {
    await house.engine.workflows.save(flowOf("mistake", "oops"));
    await openList("?text=mist");
    await choose("mistake", "Delete");
    const dialog = page.getByRole("dialog", { name: "Delete mistake?" });
    await dialog.getByRole("button", { name: "Keep it" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await savedNames()).toContain("mistake");
    await choose("mistake", "Delete");
    await dialog.getByRole("button", { name: "Delete mistake" }).click();
    await page.getByTestId("toast").filter({ hasText: "mistake is deleted" }).waitFor();
    await page.getByText('No workflow is called like "mist".').waitFor();
    expect(await savedNames()).not.toContain("mistake");
    expect(new URL(page.url()).searchParams.get("text")).toBe("mist");
  });

  test("its switch says whether a workflow may be started, and Run follows it", async () => {
    await openList();
    const turn = rowOf("tides").getByRole("switch");
    const run = rowOf("tides").getByRole("button", { name: "Run tides" });
    await turn.click();
    await eventually(() => run.isDisabled()).toBe(true);
    expect(await turn.getAttribute("aria-checked")).toBe("false");
    expect(await house.engine.workflows.get("tides")).toMatchObject({ isEnabled: false });
    await turn.click();
    await eventually(() => run.isEnabled()).toBe(true);
    expect(await house.engine.workflows.get("tides")).toMatchObject({ isEnabled: true });
  });

  test("AC-65: Run asks for what the workflow needs, and leads to the run", async () => {
    await openList();
    await rowOf("harbour").getByRole("button", { name: "Run harbour" }).click();
    await page.getByRole("dialog", { name: "Run harbour" }).getByTestId("start").click();
    await page.locator('main[data-page="run"]').waitFor();
    const id = Number(new URL(page.url()).pathname.replace("/runs/", ""));
    expect(await house.engine.result(id)).toMatchObject({ status: "completed", output: { text: "hello" } });
    expect((await house.engine.get(id)).name).toBe("harbour");
  });
});

describe("files", () => {
  test("AC-65: Export gives a file, and Import brings it in beside what is there, off unless wanted", async () => {
    await openList();
    const download = await exportFrom("digest");
    expect(download.suggestedFilename()).toMatch(/digest.*\.json$/);
    const text = await readFile(await download.path(), "utf8");
    expect(JSON.parse(text)).toMatchObject({ workflow: { name: "digest" } });
    const dialog = await openImport("Import a file");
    expect(await dialog.getByTestId("import").isDisabled()).toBe(true);
    await give(dialog, "digest.json", text);
    await dialog.getByTestId("import-plan").getByText("digest").first().waitFor();
    expect(await savedNames()).toHaveLength(3);
    await dialog.getByTestId("import").click();
    await page.getByTestId("toast").filter({ hasText: "is in the library" }).waitFor();
    const imported = (await savedNames()).find((name) => name.startsWith("digest") && name !== "digest") ?? "";
    await arriveAt(imported);
    expect(await house.engine.workflows.get(imported)).toMatchObject({ isEnabled: false });
    await house.engine.workflows.delete(imported);
  });

  test("AC-65: a file with errors lists each with its line, and imports nothing", async () => {
    await openList();
    const before = await savedNames();
    const dialog = await openImport("Import a file");
    await give(
      dialog,
      "bad.yaml",
      "name: bad\nstart: a\nsteps:\n  a:\n    tool: say\n    nxt: b\n  b: { tool: say, next: cc }\n",
    );
    const problems = dialog.getByTestId("import-problems");
    await problems.getByText("Nothing is imported until this is mended.").waitFor();
    const told = await problems.getByRole("listitem").allTextContents();
    expect(told.find((line) => line.includes('"nxt"'))).toMatch(/^Line 6: /);
    expect(told.find((line) => line.includes('"cc"'))).toMatch(/^Line 7: /);
    expect(await dialog.getByTestId("import").isDisabled()).toBe(true);
    await give(dialog, "broken.json", '{\n "version": 1,\n "workflow": ');
    await problems.getByText(/Line 3/).waitFor();
    expect(await dialog.getByTestId("import").isDisabled()).toBe(true);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await savedNames()).toEqual(before);
  });

  test("AC-65: an exported file that was spoiled names the lines, too", async () => {
    await openList();
    const before = await savedNames();
    const dialog = await openImport("Import a file");
    await give(
      dialog,
      "bad.json",
      '{\n "version": 1,\n "workflow": { "name": "a" },\n "steps": [\n  { "position": 1 }\n ]\n}',
    );
    const problems = dialog.getByTestId("import-problems");
    await problems
      .getByText(/^Line \d+: /)
      .first()
      .waitFor();
    expectRefusals(422);
    expect(await dialog.getByTestId("import").isDisabled()).toBe(true);
    await page.keyboard.press("Escape");
    expect(await savedNames()).toEqual(before);
  });

  test("a text is pasted; one whose name is taken writes over nothing", async () => {
    await openList();
    const dialog = await openImport("Paste");
    await dialog.getByRole("textbox").fill(flowOf("digest", "mine"));
    await dialog.getByText("Creates digest.").waitFor();
    await dialog.getByTestId("import").click();
    await dialog.getByText("There is a workflow digest already.").waitFor();
    expectRefusals(409);
    expect(await house.engine.workflows.get("digest")).toMatchObject({ version: 1 });
    await dialog.getByRole("textbox").fill(flowOf("pasted", "mine"));
    await dialog.getByText("Creates pasted.").waitFor();
    await dialog.getByTestId("import").click();
    await arriveAt("pasted");
    expect((await house.engine.workflows.get("pasted")).text).toBe(flowOf("pasted", "mine"));
    await house.engine.workflows.delete("pasted");
  });
});

describe("the page of a workflow", () => {
  test("shows its steps, as they are drawn and as they were written, and what its runs were", async () => {
    await visit(page, "/library/digest");
    await arriveAt("digest");
    await page.getByTestId("graph-node").filter({ hasText: "speak" }).waitFor();
    await page.getByText("Version 1 · saved by").waitFor();
    await page.getByRole("tab", { name: "Definition" }).click();
    expect(await page.getByTestId("definition").innerText()).toContain("# Says something.");
    await page.getByRole("tab", { name: "Runs" }).click();
    await eventually(() => page.getByTestId("run-row").count()).toBe(3);
    await page.getByRole("tab", { name: "Use it" }).click();
    await page.getByText("workflow_digest", { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get("tab")).toBe("use");
  });

  test("AC-65: has Run, Export and the switch, too", async () => {
    await visit(page, "/library/tides");
    await arriveAt("tides");
    expect((await exportFrom("tides")).suggestedFilename()).toMatch(/tides.*\.json$/);
    const run = page.locator('main[data-page="workflow"]').getByRole("button", { name: "Run", exact: true });
    await page.getByRole("switch", { name: "tides is enabled" }).click();
    await eventually(() => run.isDisabled()).toBe(true);
    await page.getByRole("switch", { name: "tides is enabled" }).click();
    await eventually(() => run.isEnabled()).toBe(true);
    await run.click();
    await page.getByRole("dialog", { name: "Run tides" }).getByTestId("start").waitFor();
  });

  test("its versions: what differs between any two, and an older one made current again", async () => {
    const { workflows } = house.engine;
    await workflows.save(flowOf("letter", "one"));
    await workflows.save(flowOf("letter", "two"), { note: "another word" });
    await workflows.save(flowOf("letter", "three"));
    await page.goto("/library/letter?tab=versions");
    const rows = page.getByTestId("version-row");
    await eventually(() => rows.count()).toBe(3);
    expect(await rows.nth(1).innerText()).toMatch(/Version 2\s+another word/);
    const removed = page.getByRole("row").filter({ hasText: "removed" });
    const added = page.getByRole("row").filter({ hasText: "added" });
    await page.getByRole("group", { name: "Difference between version 2 and version 3" }).waitFor();
    await page.getByLabel("Before", { exact: true }).selectOption("1");
    await page.getByRole("group", { name: "Difference between version 1 and version 3" }).waitFor();
    expect(await removed.innerText()).toContain("text: one");
    expect(await added.innerText()).toContain("text: three");
    await page.getByRole("button", { name: "What is new in version 2" }).click();
    await page.getByRole("group", { name: "Difference between version 1 and version 2" }).waitFor();
    expect(await added.innerText()).toContain("text: two");
    await page.getByRole("button", { name: "Restore version 1" }).click();
    const dialog = page.getByRole("dialog", { name: "Restore version 1 of letter?" });
    await dialog.getByText("It becomes version 4.").waitFor();
    await dialog.getByRole("button", { name: "Restore it" }).click();
    await eventually(() => rows.count()).toBe(4);
    expect((await workflows.get("letter")).text).toBe(flowOf("letter", "one"));
    await workflows.delete("letter");
  });

  test("AC-66: one that is deleted on its page leads to the list; its page says so, and brings a version back", async () => {
    const { workflows } = house.engine;
    await workflows.save(flowOf("gone", "one"));
    await visit(page, "/library/gone");
    await arriveAt("gone");
    await choose("gone", "Delete");
    await page.getByRole("button", { name: "Delete gone" }).click();
    await rowOf("digest").waitFor();
    await eventually(names).not.toContain("gone");
    await visit(page, "/library/gone?tab=versions");
    await page.getByText("It was deleted and is not started any more.").waitFor();
    await page.getByRole("button", { name: "Restore version 1" }).click();
    await page.getByRole("button", { name: "Restore it" }).click();
    await eventually(() => page.getByText("It was deleted and is not started any more.").count()).toBe(0);
    expect(await savedNames()).toContain("gone");
    await workflows.delete("gone");
  });

  test("one that is not there says so, and leads to all of them", async () => {
    await visit(page, "/library/nobody");
    await page.getByText('There is no workflow called "nobody".').waitFor();
    await page.getByRole("link", { name: "All workflows" }).click();
    await rowOf("digest").waitFor();
    expect(new URL(page.url()).pathname).toBe("/library");
    // At the end: it is asked for again when the line stands, and what the browser says is whole once it is closed.
    await page.close();
    expectRefusals(404);
  });
});
