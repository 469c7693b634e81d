import { expect, test } from "vitest";
import { eventually, openWindow } from "./harness/browser.ts";
import { openHouse } from "./harness/house.ts";

test("what is preferred in one window holds in another one of the same browser at once", async () => {
  await using open = await openHouse({});
  await using one = await openWindow(open.address);
  await one.page.goto("/settings");
  const other = await one.context.newPage();
  await other.goto("/settings");
  await other.getByLabel("Time zone").waitFor();
  await one.page.getByLabel("Time zone").selectOption("Asia/Tokyo");
  await one.page.getByLabel("Dates").selectOption("iso");
  await one.page.getByLabel("Rows of tables").selectOption("compact");
  await one.page.getByLabel("Theme", { exact: true }).selectOption("dark");
  await other.locator('html[data-density="compact"][data-theme="dark"]').waitFor();
  await eventually(() => other.getByLabel("Time zone").inputValue()).toBe("Asia/Tokyo");
  await other
    .getByTestId("time-sample")
    .getByText(/^Now is \d{4}-\d\d-\d\d/u)
    .waitFor();
  expect(await other.getByLabel("Dates").inputValue()).toBe("iso");
});

test("every time is shown in the zone and the style that somebody chooses, also after a reload", async () => {
  await using house = await openHouse({});
  await using window = await openWindow(house.address);
  const { page } = window;
  const run = await house.engine.start({ start: { gate: { title: "Go?" }, done: true } }, { name: "timed" });
  const { createdAt } = await house.engine.get(run.id);
  await page.goto("/settings");
  await page.getByLabel("Time zone").selectOption("Asia/Tokyo");
  await page.getByLabel("Dates").selectOption("iso");
  await page.getByTestId("time-sample").getByText("+09:00").waitFor();
  const tokyo = new Date(createdAt + 9 * 3_600_000).toISOString().slice(0, 19).replace("T", " ");
  for (const path of ["/runs?workflow=timed", "/inbox"]) {
    await page.goto(path);
    await page.locator(`time[title="${tokyo} +09:00"]`).first().waitFor();
  }
  await page.goto(`/runs/${run.id}?tab=history`);
  const clock = tokyo.slice(11);
  await page
    .getByText(new RegExp(`^${clock}\\.\\d{3}$`))
    .first()
    .waitFor();
  await page.goto("/settings");
  expect(await page.getByLabel("Time zone").inputValue()).toBe("Asia/Tokyo");
  await page.getByLabel("Time zone").selectOption("");
  await page.getByLabel("Dates").selectOption("browser");
  await page
    .getByTestId("time-sample")
    .getByText(/CET|GMT\+1/)
    .waitFor();
  await house.engine.cancel(run.id);
});
