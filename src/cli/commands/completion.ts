// `stepwell completion`: the script that a shell reads. It asks `stepwell complete -- words` at each press of the key.

import { StepwellError } from "../../error.ts";
import { nearest } from "../../flow/suggest.ts";
import { defineCommand, type Command } from "../command.ts";
import { completionScripts } from "../completion-scripts.ts";

const shells = ["bash", "zsh", "fish"] as const;

export const command: Command = defineCommand({
  operands: [{ name: "bash|zsh|fish", completes: shells }],
  flags: {},
  details:
    "bash: add to ~/.bashrc:  source <(stepwell completion bash)\nzsh:  add to ~/.zshrc:   source <(stepwell completion zsh)\nfish: stepwell completion fish > ~/.config/fish/completions/stepwell.fish",
  isNobodys: true,
  isLocal: true,
  examples: ["completion bash"],
  act({ operands, out, usage }) {
    const [given = ""] = operands;
    const shell = shells.find((each) => each === given);
    if (shell === undefined) {
      const near = nearest(given, shells);
      const suggestion = near === undefined ? "" : ` Did you mean "${near}"?`;
      throw new StepwellError("USAGE", `Say for which shell: bash, zsh or fish.${suggestion}`, { hint: usage });
    }
    const script = completionScripts[shell];
    out.tell({ document: { shell, script }, ids: [], lines: () => script.split("\n") });
    return 0;
  },
});
