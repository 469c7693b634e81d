// Looks at every page of a hostile house, and tells what of its texts was run.

import type { Page } from "playwright-core";
import type { HostileHouse } from "./hostile-house.ts";
import { openWindow } from "../harness/browser.ts";
import { settle, visit } from "../harness/visit.ts";

export type Finding = string;

/** Tells of dialogs, windows, calls that open one, and of rules of the page that were broken. */
export async function watch(page: Page, found: Finding[]): Promise<void> {
  page.on("dialog", (dialog) => {
    found.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("popup", (popup) => found.push(`window: ${popup.url()}`));
  await page.exposeFunction("tellStepwell", (text: string) => found.push(text));
  await page.addInitScript(() => {
    const { tellStepwell: tell } = globalThis as unknown as { readonly tellStepwell: (text: string) => void };
    for (const name of ["alert", "confirm", "prompt", "print"] as const)
      Object.assign(globalThis, { [name]: () => tell(`${name} was called`) });
    addEventListener("securitypolicyviolation", (event) =>
      tell(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
    );
  });
}

export async function findExecutions(house: HostileHouse): Promise<readonly Finding[]> {
  const window = await openWindow(house.address, { height: 2000 });
  const { page, faults } = window;
  const found: Finding[] = [];
  await watch(page, found);
  const look = async (path: string, ready: string): Promise<void> => {
    await visit(page, path);
    await page.locator(ready).first().waitFor();
    await settle(page);
    if (new URL(page.url()).origin !== house.address) found.push(`${path} led to ${page.url()}`);
  };
  await look("/", 'main[data-page="home"]');
  await look("/runs", '[data-testid="run-row"]');
  await look("/library", 'main[data-page="library"]');
  await look("/workflows", 'main[data-page="seed-workflows"]');
  await look("/workflow", 'main[data-page="seed-workflow"]');
  await look("/inbox", 'main[data-page="inbox"]');
  found.push(...(await findBadLinks(page)));
  await look("/inbox?tab=done", 'main[data-page="inbox"]');
  for (const path of ["schedules", "tools", "system", "settings"]) await look(`/${path}`, `main[data-page="${path}"]`);
  await look("/settings?tab=audit", 'main[data-page="settings"]');
  for (const name of house.workflows) await lookAtWorkflow(encodeURIComponent(name), look);
  for (const { id, texts } of house.runs) {
    await look(`/runs/${id}?step=s${texts.length - 1}`, "[data-node-key]");
    for (const tab of ["history", "values", "definition"])
      await look(`/runs/${id}?tab=${tab}&view=table&step=s0&part=output`, 'main[data-page="run"]');
    await look(`/runs/${id}?tab=values`, '[role="region"][aria-label="Input and output"]');
    await lookAtMarkdown(page);
    found.push(...(await findBadLinks(page)));
  }
  found.push(...faults.splice(0));
  await window[Symbol.asyncDispose]();
  return found;
}

/** The run's input; a large one is loaded first. */
async function lookAtMarkdown(page: Page): Promise<void> {
  const values = page.getByRole("region", { name: "Input and output" });
  const looks = values.getByRole("group", { name: "How to show: Input of the run" });
  const load = values.getByRole("button", { name: "Load", exact: true });
  await looks.or(load).first().waitFor();
  if ((await looks.count()) === 0) await load.first().click();
  await looks.getByText("Markdown", { exact: true }).click();
  await page.getByTestId("markdown").waitFor();
}

/** What Markdown has made of the texts leads to pages and mailboxes only, says so, and has nothing in it but words. */
async function findBadLinks(page: Page): Promise<readonly Finding[]> {
  const drawn = page.getByTestId("markdown");
  const links = await drawn
    .locator("a")
    .evaluateAll((all) => all.map((link) => [link.getAttribute("href") ?? "", link.getAttribute("rel") ?? ""]));
  const bad = links.filter(
    ([href = "", rel = ""]) => !/^(https?:\/\/|mailto:)/.test(href) || !rel.includes("noopener"),
  );
  const alien = await drawn
    .locator(":not(p,pre,hr,blockquote,ol,ul,li,code,em,strong,a,span)")
    .evaluateAll((all) => all.map(({ outerHTML }) => outerHTML));
  return [...bad.map(([href]) => `link: ${href}`), ...alien.map((html) => `element: ${html}`)];
}

/** Its tabs, its editor, and the dialog that starts it. */
async function lookAtWorkflow(name: string, look: (path: string, ready: string) => Promise<void>): Promise<void> {
  for (const tab of ["overview", "runs", "versions", "use", "settings", "definition"])
    await look(`/library/${name}?tab=${tab}`, 'main[data-page="workflow"]');
  await look(`/library/${name}/edit`, ".cm-content");
  await look(`/?start=${name}`, '[role="dialog"]');
}
