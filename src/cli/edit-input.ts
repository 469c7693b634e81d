// Lets a person change an input in their own editor.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StepwellError } from "../error.ts";
import type { JsonObject } from "../flow/json.ts";
import type { Call } from "./command.ts";

/** null: it was left as it is, and nothing is to be done. */
export async function editInput(input: JsonObject, { surroundings, values, out }: Call): Promise<JsonObject | null> {
  const { environment } = surroundings;
  const editor = environment["VISUAL"] || environment["EDITOR"];
  if (editor === undefined || editor === "" || values["no-input"]) {
    throw new StepwellError("USAGE", "There is no editor to change the input with.", {
      hint: "set EDITOR, or give the input: stepwell fork RUN --from STEP --input JSON",
    });
  }
  const folder = mkdtempSync(join(tmpdir(), "stepwell-"));
  try {
    const file = join(folder, "input.json");
    const text = `${JSON.stringify(input, null, 2)}\n`;
    writeFileSync(file, text, { mode: 0o600 });
    // EDITOR may bring flags of its own, as in `code --wait`.
    const { status } = spawnSync(`${editor} "${file}"`, { shell: true, stdio: "inherit" });
    if (status !== 0)
      throw new StepwellError("USAGE", `The editor ended with ${status ?? "a signal"}; nothing was started.`);
    const edited = readFileSync(file, "utf8");
    const { readObject } = await import("./input.ts");
    if (edited !== text) return readObject(edited, "The edited input");
    out.say("The input was not changed; nothing was started.");
    return null;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
