import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { flowOf, letterTools } from "./harness/letters.ts";
import { openHouse, type House } from "./harness/house.ts";
import { eventually, openWindow, type Window } from "./harness/browser.ts";
import { visit } from "./harness/visit.ts";

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

/** Nothing is wrong with it as it stands. */
async function seeNothingWrong(where = page): Promise<void> {
  await where.getByTestId("problems").getByText("Nothing is wrong.", { exact: true }).waitFor();
}

async function openEditor(name: string, where = page): Promise<void> {
  await visit(where, `/library/${name}/edit`);
  await seeNothingWrong(where);
  await where.locator(".cm-content").waitFor();
}

/** Saved, and open in the editor. */
async function openNew(name: string): Promise<void> {
  await house.engine.workflows.save(flowOf(name));
  await openEditor(name);
}

async function textIn(where = page): Promise<string> {
  return (await where.locator(".cm-line").allTextContents()).join("\n");
}

function lineWith(text: string, where = page): Locator {
  return where.locator(".cm-line").filter({ hasText: text });
}

/** At the end of the first line in which a text stands. */
async function typeBehind(line: string, text: string, where = page): Promise<void> {
  await lineWith(line, where).first().click();
  await where.keyboard.press("End");
  await where.keyboard.type(text);
}

async function replaceAll(text: string): Promise<void> {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

function problems(severity: "error" | "warning"): Locator {
  return page.locator(`[data-testid="problem"][data-severity="${severity}"]`);
}

function state(where = page): Promise<string> {
  return where.getByTestId("draft-state").innerText();
}

/** Once it is known that there is something to save: only then does it say anew that it is. */
async function save(where = page): Promise<void> {
  await eventually(() => state(where)).toBe("Not saved yet");
  await where.keyboard.press("Control+s");
}

/** The browser says of every answer that refuses something that it could not be loaded. */
function expectRefusals(status: number): void {
  expect(window.faults.splice(0).filter((fault) => !fault.includes(String(status)))).toEqual([]);
}

/** As above, when everything by which is completed has come. */
async function openKnowing(name: string): Promise<void> {
  await house.engine.workflows.save(flowOf(name));
  await Promise.all([
    page.waitForResponse((response) => new URL(response.url()).pathname === "/api/workflow/schema"),
    page.waitForResponse((response) => new URL(response.url()).pathname === "/api/tools"),
    page.goto(`/library/${name}/edit`),
  ]);
  await seeNothingWrong();
  await page.locator(".cm-content").waitFor();
}

/** By the pointer: keys count only when one has had the time to see what they choose. */
async function take(option: string): Promise<void> {
  await page.locator(".cm-tooltip-autocomplete").getByRole("option", { name: option, exact: true }).click();
}

async function offered(): Promise<readonly string[]> {
  return await page.locator(".cm-tooltip-autocomplete li").allTextContents();
}

describe("what is wrong", () => {
  test("AC-68: a tool that is not there is a warning and can be saved, a step that is not there an error that cannot", async () => {
    await openNew("checked");
    const { workflows } = house.engine;
    await replaceAll(flowOf("checked").replace("app.send", "app.sent").replace("next: post", "next: pots"));
    await problems("error").waitFor();
    expect(await problems("error").innerText()).toMatch(/Line 8: .*"pots"/);
    await problems("warning").filter({ hasText: "app.sent" }).waitFor();
    expect(await page.locator(".cm-lintRange-error").allTextContents()).toEqual(["pots"]);
    await page.keyboard.press("Control+s");
    await page.getByRole("status").filter({ hasText: "It cannot be saved yet: 1 error" }).waitFor();
    await eventually(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/^Line 8: /);
    expect(await page.getByTestId("toast").count()).toBe(0);
    expect(await state()).toBe("Not saved yet");
    expect(await workflows.get("checked")).toMatchObject({ version: 1 });
    await replaceAll(flowOf("checked").replace("app.send", "app.sent"));
    await eventually(() => problems("error").count()).toBe(0);
    await problems("warning").waitFor();
    await page.getByTestId("save").click();
    await eventually(() => state()).toBe("Saved");
    expect(await workflows.get("checked")).toMatchObject({ version: 2 });
  });

  test("is mended by one click, which leaves comments and layout alone and can be undone", async () => {
    await openNew("mended");
    const wrong = flowOf("mended").replace("next: post", "next: pots");
    await replaceAll(wrong);
    await problems("error")
      .getByRole("button", { name: /^Fix: / })
      .click();
    await seeNothingWrong();
    expect(await textIn()).toBe(flowOf("mended"));
    await eventually(() => state()).toBe("Saved");
    await eventually(() => page.evaluate(() => document.activeElement?.className)).toContain("cm-content");
    await page.keyboard.press("Control+z");
    await eventually(() => textIn()).toBe(wrong);
  });

  test("leads to its line", async () => {
    await openNew("led");
    await replaceAll(flowOf("led").replace("next: post", "next: pots"));
    await problems("error")
      .getByRole("button", { name: /^Error Line 8/ })
      .click();
    await eventually(() => page.locator(".cm-activeLine").innerText()).toContain("next: pots");
    expect(await page.locator(".cm-content").evaluate((text) => text === document.activeElement)).toBe(true);
  });
});

describe("completion", () => {
  test("offers the names of the other steps", async () => {
    await openKnowing("steps-offered");
    await replaceAll(flowOf("steps-offered").replace("next: post\n", "next:\n"));
    await typeBehind("next:", " ");
    await page.keyboard.type("p");
    await eventually(offered).toContain("post");
    expect(await offered()).not.toContain("draft");
    await take("post");
    await eventually(() => textIn()).toContain("next: post\n");
  });

  test("offers the tools that are there, and keys of the language", async () => {
    await openKnowing("tools-offered");
    await replaceAll(flowOf("tools-offered").replace("    tool: app.send\n", ""));
    await lineWith("post:").last().click();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.keyboard.type("to");
    await eventually(offered).toContain("tool");
    await page.keyboard.type("ol: app");
    await eventually(offered).toEqual(expect.arrayContaining(["app.send", "app.write"]));
    await page.keyboard.type(".s");
    await eventually(offered).toEqual(["app.send"]);
    await take("app.send");
    await eventually(() => textIn()).toBe(flowOf("tools-offered"));
  });

  test("offers the arguments that the tool takes, and the values they may have", async () => {
    await openKnowing("arguments-offered");
    await replaceAll(flowOf("arguments-offered").replace("args: { title: Tides }", "args:"));
    await lineWith("args:").first().click();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+Space");
    await eventually(offered).toEqual(["title", "tone"]);
    await page.keyboard.type("ton");
    await eventually(offered).toEqual(["tone"]);
    await take("tone");
    await eventually(offered).toEqual(expect.arrayContaining(["warm", "dry"]));
    await eventually(() => textIn()).toContain("\n      tone: ");
  });

  test("offers what expressions can read", async () => {
    await openKnowing("names-offered");
    await replaceAll(flowOf("names-offered").replace("to: ann", 'to: "'));
    await typeBehind('to: "', "{{ steps.");
    await eventually(offered).toEqual(expect.arrayContaining(["draft", "post"]));
  });
});

describe("saving", () => {
  test("Ctrl+S saves a version with a note, as it was written", async () => {
    await openNew("kept");
    await replaceAll(flowOf("kept").replace("Tides", "Harbours"));
    await page.getByLabel("What is new in this version").fill("another word");
    await save();
    await page.getByTestId("toast").filter({ hasText: "Saved as version 2 of kept." }).waitFor();
    await eventually(() => state()).toBe("Saved");
    const { workflows } = house.engine;
    expect((await workflows.get("kept")).text).toBe(flowOf("kept").replace("Tides", "Harbours"));
    expect((await workflows.versions("kept"))[0]).toMatchObject({ version: 2, note: "another word" });
    expect(await page.getByLabel("What is new in this version").inputValue()).toBe("");
  });

  test("AC-67: a new one is called what it calls itself, and is edited on under its own address", async () => {
    await page.goto("/new");
    await page.locator(".cm-content").waitFor();
    await replaceAll(flowOf("fresh"));
    await eventually(() => page.getByLabel("Name of the workflow").inputValue()).toBe("fresh");
    await page.keyboard.press("Control+s");
    await page.getByRole("heading", { level: 1, name: "Edit fresh" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/library/fresh/edit");
    expect((await house.engine.workflows.get("fresh")).text).toBe(flowOf("fresh"));
  });

  test("AC-67: a new one needs a name; one whose name is taken writes over nothing", async () => {
    await house.engine.workflows.save(flowOf("taken"));
    await page.goto("/new");
    await page.locator(".cm-content").waitFor();
    await replaceAll(flowOf("").replace("name: \n", ""));
    await page.keyboard.press("Control+s");
    const nameless = page.getByTestId("toast").filter({ hasText: "It has no name yet." });
    await nameless.waitFor();
    await replaceAll(flowOf("taken").replace("Tides", "Harbours"));
    await page.keyboard.press("Control+s");
    const dialog = page.getByRole("dialog", { name: "There is a workflow taken already" });
    await dialog.getByRole("button", { name: "Go on writing" }).click();
    await dialog.waitFor({ state: "detached" });
    expectRefusals(409);
    expect(await nameless.count()).toBe(0);
    expect(await textIn()).toContain("Harbours");
    expect((await house.engine.workflows.get("taken")).text).toBe(flowOf("taken"));
  });

  test("a switch that was turned meanwhile is no conflict", async () => {
    await openNew("switched");
    await house.engine.workflows.disable("switched");
    await typeBehind("title: Tides", " # deep");
    await save();
    await eventually(() => state()).toBe("Saved");
    expectRefusals(409);
    const found = await house.engine.workflows.get("switched");
    expect(found).toMatchObject({ isEnabled: false });
    expect(found.text).toContain("# deep");
  });
});

describe("two editors", () => {
  test("the second to save sees what the first has saved, line by line, and takes it", async () => {
    await openNew("shared");
    await using other = await openWindow(house.address);
    await openEditor("shared", other.page);
    await typeBehind("# Written by hand.", " Theirs.", other.page);
    await save(other.page);
    await eventually(() => state(other.page)).toBe("Saved");
    await typeBehind("# Written by hand.", " Mine.");
    await save();
    const dialog = page.getByRole("dialog", { name: /saved shared meanwhile$/ });
    await dialog.getByTestId("conflict").waitFor();
    expectRefusals(409);
    const change = dialog.getByRole("row");
    expect(await change.filter({ hasText: "removed" }).innerText()).toContain("# Written by hand. Theirs.");
    expect(await change.filter({ hasText: "added" }).innerText()).toContain("# Written by hand. Mine.");
    await dialog.getByRole("button", { name: "Take theirs" }).click();
    await eventually(() => textIn()).toContain("# Written by hand. Theirs.\n");
    await eventually(() => state()).toBe("Saved");
    await typeBehind("Theirs.", " And mine.");
    await save();
    await eventually(() => state()).toBe("Saved");
    expect((await house.engine.workflows.get("shared")).text).toContain("# Written by hand. Theirs. And mine.\n");
  });

  test("or saves over it; no version is lost", async () => {
    await openNew("over");
    const { workflows } = house.engine;
    await workflows.save(flowOf("over").replace("Tides", "Theirs"), { by: "ann", note: "in a hurry" });
    await replaceAll(flowOf("over").replace("Tides", "Mine"));
    await eventually(() => state()).toBe("Not saved yet");
    await page.getByTestId("save").click();
    const dialog = page.getByRole("dialog", { name: "ann saved over meanwhile" });
    await dialog.getByText("(in a hurry)").waitFor();
    expectRefusals(409);
    await dialog.getByRole("button", { name: "Save mine over it" }).click();
    await dialog.waitFor({ state: "detached" });
    await eventually(() => state()).toBe("Saved");
    expect((await workflows.get("over")).text).toContain("title: Mine");
    expect((await workflows.get("over@2")).text).toContain("title: Theirs");
    expect(await workflows.get("over")).toMatchObject({ version: 3 });
  });

  test("one that is opened again begins with what was saved meanwhile", async () => {
    await openNew("again");
    await page.getByRole("navigation").getByRole("link", { name: "Library", exact: true }).first().click();
    await page.locator('main[data-page="library"]').waitFor();
    await house.engine.workflows.save(flowOf("again").replace("Tides", "Theirs"));
    await page.goBack();
    await lineWith("title: Theirs").waitFor();
    expect(await page.getByText("Version 2", { exact: true }).count()).toBe(1);
  });
});

describe("leaving", () => {
  test("with something that is not saved asks; staying keeps it, leaving drops it", async () => {
    await openNew("left");
    await typeBehind("# Written by hand.", " Not yet.");
    const home = page.getByRole("navigation").getByRole("link", { name: "Home", exact: true }).first();
    await home.click();
    const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
    await dialog.getByRole("button", { name: "Stay here" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe("/library/left/edit");
    expect(await textIn()).toContain("Not yet.");
    await home.click();
    await dialog.getByRole("button", { name: "Leave", exact: true }).click();
    await page.locator('main[data-page="home"]').waitFor();
    expect((await house.engine.workflows.get("left")).text).toBe(flowOf("left"));
  });

  test("by closing the tab asks, too; with everything saved nothing is asked", async () => {
    await house.engine.workflows.save(flowOf("closed"));
    const tab = await window.context.newPage();
    await openEditor("closed", tab);
    await typeBehind("# Written by hand.", " Not yet.", tab);
    const [asked] = await Promise.all([tab.waitForEvent("dialog"), tab.close({ runBeforeUnload: true })]);
    expect(asked.type()).toBe("beforeunload");
    await asked.dismiss();
    await tab.keyboard.press("Control+z");
    await eventually(() => state(tab)).toBe("Saved");
    const types: string[] = [];
    tab.on("dialog", (dialog) => {
      types.push(dialog.type());
      void dialog.accept();
    });
    await Promise.all([tab.waitForEvent("close"), tab.close({ runBeforeUnload: true })]);
    expect(types).toEqual([]);
  });
});

describe("text and drawing", () => {
  test("a step that is clicked in the drawing is where the cursor goes, and the step at the cursor is marked", async () => {
    await openNew("drawn");
    const nodeOf = (key: string): Locator => page.locator(`[data-testid="graph-node"][data-node-key="${key}"]`);
    await nodeOf("post").click();
    await eventually(() => page.locator(".cm-activeLine").innerText()).toBe("  post:");
    await eventually(() => nodeOf("post").getAttribute("aria-pressed")).toBe("true");
    await lineWith("title: Tides").click();
    await eventually(() => nodeOf("draft").getAttribute("aria-pressed")).toBe("true");
    expect(await nodeOf("post").getAttribute("aria-pressed")).toBe("false");
  });

  test("what can no longer be drawn stays as it was, and says so", async () => {
    await openNew("undrawn");
    await page.getByTestId("graph-node").first().waitFor();
    await replaceAll("steps: [");
    await page.getByText("This is how it was before something went wrong.").waitFor();
    await page.getByRole("button", { name: "Zoom in (+)" }).click();
    expect(await page.getByTestId("graph-node").filter({ hasText: "post" }).count()).toBe(1);
  });

  test("in a narrow window text, drawing and problems stand behind each other, and nothing that was written is lost", async () => {
    await openNew("narrow");
    await typeBehind("# Written by hand.", " Kept.");
    await page.setViewportSize({ width: 400, height: 800 });
    await page.getByRole("tab", { name: "Graph" }).click();
    await page.locator('[data-testid="graph-node"][data-node-key="post"]').click();
    await eventually(() => page.locator(".cm-activeLine").innerText()).toBe("  post:");
    expect(await textIn()).toContain("# Written by hand. Kept.");
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});

describe("Try step", () => {
  test("calls the tool of the step at the cursor with what is filled in, and shows its answer", async () => {
    await openNew("tried");
    await lineWith("app.write").click();
    await page.getByRole("button", { name: "Try step" }).click();
    const dialog = page.getByRole("dialog", { name: "Try app.write" });
    expect(await dialog.getByLabel("Title").inputValue()).toBe("Tides");
    await dialog.getByLabel("Title").fill("Harbours");
    await dialog.getByTestId("try").click();
    await dialog.getByTestId("answer").getByText("All about Harbours").waitFor();
    expect(await dialog.getByTestId("answer").getByRole("link").innerText()).toMatch(/^Run \d+$/);
  });
});
