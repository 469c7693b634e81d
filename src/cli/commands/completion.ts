// `stepwell completion`: the script that a shell reads. It asks `stepwell complete -- words` at each press of the key.

import { StepwellError } from "../../error.ts";
import { nearest } from "../../flow/suggest.ts";
import { defineCommand, type Command } from "../command.ts";

const shells = ["bash", "zsh", "fish"] as const;

export const command: Command = defineCommand({
  operands: [{ name: "bash|zsh|fish", completes: shells }],
  flags: {},
  details:
    "bash: add to ~/.bashrc:  source <(stepwell completion bash)\nzsh:  add to ~/.zshrc:   source <(stepwell completion zsh)\nfish: stepwell completion fish > ~/.config/fish/completions/stepwell.fish",
  examples: ["completion bash"],
  async act({ operands, out, usage }) {
    const [given = ""] = operands;
    const shell = shells.find((each) => each === given);
    if (shell === undefined) {
      const near = nearest(given, shells);
      const suggestion = near === undefined ? "" : ` Did you mean "${near}"?`;
      throw new StepwellError("USAGE", `Say for which shell: bash, zsh or fish.${suggestion}`, { hint: usage });
    }
    const script = await readScript(shell);
    out.tell({ document: { shell, script }, ids: [], lines: () => script.split("\n") });
    return 0;
  },
});

/** The package only prints. */
async function readScript(shell: (typeof shells)[number]): Promise<string> {
  const { script } = await import("@bomb.sh/tab");
  const printed: string[] = [];
  const { log } = console;
  console.log = (text: string): void => void printed.push(text);
  try {
    script(shell, "stepwell", "stepwell");
  } finally {
    console.log = log;
  }
  return printed.join("\n").trimEnd();
}
