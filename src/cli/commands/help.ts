// `stepwell help`.

import { StepwellError } from "../../error.ts";
import { nearest } from "../../flow/suggest.ts";
import { defineCommand, type Command, type Listed } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { commandHelpText, exitCodesText, familyHelpText, helpText } from "../help.ts";

export const command: Command = defineCommand({
  operands: [{ name: "[command|exit-codes]", isRepeated: true }],
  flags: {},
  isNobodys: true,
  isLocal: true,
  examples: ["help run", "help exit-codes"],
  async act({ operands, out, groups }) {
    const name = operands.join(" ");
    if (name === "exit-codes") {
      const document = [...exitCodes].map(([code, about]) => ({ code, about }));
      out.tell({ document, ids: document.map(({ code }) => code), lines: () => exitCodesText().split("\n") });
      return 0;
    }
    const all = groups.flatMap(({ commands }) => commands);
    const text = name === "" ? helpText(groups) : await helpOn(name, all);
    out.tell({
      document: all
        .filter((listed) => name === "" || isMeant(listed, name))
        .map((listed) => ({ name: listed.name, about: listed.about })),
      ids: all.map((listed) => listed.name),
      lines: () => text.split("\n"),
    });
    return 0;
  },
});

function isMeant(listed: Listed, name: string): boolean {
  return listed.name === name || listed.name.startsWith(`${name} `);
}

async function helpOn(name: string, all: readonly Listed[]): Promise<string> {
  const listed = all.find((each) => each.name === name);
  if (listed !== undefined) return commandHelpText(listed, (await listed.load()).command);
  const family = all.filter((each) => isMeant(each, name));
  if (family.length > 0) return familyHelpText(name, family);
  const near = nearest(name, ["exit-codes", ...all.map((each) => each.name)]);
  const suggestion = near === undefined ? "" : ` Did you mean "${near}"?`;
  throw new StepwellError("USAGE", `There is no help on "${name}".${suggestion}`, { hint: "stepwell help" });
}
