import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("peers.ts", import.meta.url));

test("clients that others have written list our tools, follow a task to its end and answer a gate", async () => {
  const child = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "pipe"] });
  const [said, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  // What went wrong is told there, where it did.
  process.stderr.write(complaints);
  expect(said.trim().split("\n")).toEqual([
    "✓ Inspector lists our tools over HTTP",
    "✓ Inspector calls a workflow over HTTP, and follows its task to its end",
    "✓ Inspector lists our tools over stdio",
    "✓ Inspector calls a workflow over stdio, and follows its task to its end",
    "✓ mcpdo answers a gate: HTTP, modern",
    "✓ mcpdo answers a gate: stdio, modern",
    "✓ mcpdo answers a gate: stdio, legacy",
  ]);
});
