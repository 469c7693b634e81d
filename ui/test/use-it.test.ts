import { expect, test } from "vitest";
import { openHouse } from "./harness/house.ts";
import { openWindow } from "./harness/browser.ts";
import { visit } from "./harness/visit.ts";

test("the tab for other programs tells the name of its MCP tool as the server has it, and that there is none", async () => {
  await using house = await openHouse({ tools: { say: () => "hello" } });
  await using window = await openWindow(house.address);
  const { page } = window;
  const name = "言葉";
  await house.engine.workflows.save({ name, steps: { speak: { tool: "say", done: true } } });
  const response = await fetch(`${house.address}/api/workflow/templates/${encodeURIComponent(name)}`);
  const { mcp_tool: tool } = (await response.json()) as { readonly mcp_tool: string };
  expect(tool).toMatch(/^workflow_[0-9a-f]{6}$/);
  await visit(page, `/library/${encodeURIComponent(name)}?tab=use`);
  await page.getByRole("group", { name: "MCP tool" }).getByText(tool, { exact: true }).waitFor();
  await house.engine.workflows.disable(name);
  await page.reload();
  await page.getByRole("region", { name: "MCP tool" }).getByText("it is not enabled").waitFor();
});
