// `stepwell workflow save`: keeps flows under their names, in versions.

import { StepwellError } from "../../error.ts";
import type { JsonObject } from "../../flow/json.ts";
import { expectFlags, readExpected } from "../change-workflow.ts";
import { defineCommand, type Command } from "../command.ts";
import { nameOfFile, readFlowFile } from "../flow-file.ts";
import { openSession } from "../session.ts";
import { toSavedDocument } from "../../server/document/workflow.ts";

export const command: Command = defineCommand({
  operands: [{ name: "<file …>", completes: "file", isRepeated: true }],
  flags: {
    name: { value: "NAME", about: "under this name; else the flow's own, else the file's" },
    note: { value: "TEXT", about: "why there is a new version" },
    description: { value: "TEXT", about: "what it is for; else the flow's own" },
    ...expectFlags,
  },
  details: "A flow that equals the newest version makes no new one. - reads standard input.",
  examples: ["workflow save digest.yaml --note 'shorter'", "workflow save flows/*.yaml"],
  async act(call) {
    const { operands, values, out, usage } = call;
    if (operands.length === 0) throw new StepwellError("USAGE", "Say which files to save.", { hint: usage });
    if (operands.length > 1 && values.name !== undefined)
      throw new StepwellError("USAGE", "Several files cannot have one name.", { hint: usage });
    const expected = readExpected(call);
    const { compile } = await import("../../flow/validate/compile.ts");
    // All that can be wrong without a store is found before one is made.
    const flows = operands.map((file) => {
      const text = readFlowFile(file, usage);
      return { text, name: values.name ?? compile(text).name ?? nameOfFile(file) };
    });
    await using session = await openSession(call);
    const documents: JsonObject[] = [];
    const references: string[] = [];
    for (const { text, name } of flows) {
      const saved = await session.engine.workflows.save(text, {
        name,
        by: session.user,
        ...expected,
        ...(values.note === undefined ? {} : { note: values.note }),
        ...(values.description === undefined ? {} : { description: values.description }),
      });
      for (const warning of saved.warnings) out.say(`warning: ${name}: ${warning}`);
      out.say(
        saved.isNewVersion
          ? `saved: ${name}, version ${saved.version}`
          : `unchanged: ${name}, version ${saved.version}`,
      );
      documents.push(toSavedDocument(saved));
      references.push(`${saved.name}@${saved.version}`);
    }
    out.tell({ document: documents, ids: references, lines: () => references });
    return 0;
  },
});
