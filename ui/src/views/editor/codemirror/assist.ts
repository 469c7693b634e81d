// What helps while writing: completion, and words about what is under the pointer.

import type { CompletionContext, CompletionResult, Completion } from "@codemirror/autocomplete";
import { hoverTooltip, type Tooltip } from "@codemirror/view";
import type { Extension } from "@codemirror/state";
import { completeFlow, type Known, type Option } from "../../../model/completion.ts";
import { placeAt } from "../../../model/flow-text.ts";
import { hoverAt } from "../../../model/hover.ts";

const types: { readonly [kind in Option["kind"]]: string } = {
  key: "property",
  value: "constant",
  step: "class",
  tool: "function",
  name: "variable",
};

/** Keys and values first, and of these the ones that are right before those that are examples. */
function toCompletion({ label, kind, about, insert, goesOn }: Option, at: number): Completion & { goesOn: boolean } {
  const isExample = about === "For example";
  return {
    label,
    type: types[kind],
    apply: insert,
    boost: (isExample ? -50 : 0) - Math.min(at, 40) / 10,
    goesOn,
    ...(about === "" ? {} : isExample ? { detail: "example" } : { info: about }),
  };
}

export function completionSource(known: () => Known) {
  return (context: CompletionContext): CompletionResult | null => {
    const text = context.state.doc.toString();
    if (!context.explicit) {
      const { key, word, isInline } = placeAt(text, context.pos);
      // On an empty line nobody has asked for anything yet.
      if (word === "" && key === null && !isInline) return null;
    }
    const found = completeFlow(text, context.pos, known());
    if (found === null) return null;
    return { from: found.from, options: found.options.map(toCompletion), validFor: /^[\w-]*$/ };
  };
}

/** Behind a key its value is asked for at once. */
export function asksOn(completion: Completion): boolean {
  return "goesOn" in completion && completion.goesOn === true;
}

export function hoverWords(known: () => Known): Extension {
  return hoverTooltip((view, offset): Tooltip | null => {
    const found = hoverAt(view.state.doc.toString(), offset, known());
    if (found === null) return null;
    const { from, to, title, lines } = found;
    return { pos: from, end: to, above: true, create: () => ({ dom: drawHover(title, lines) }) };
  });
}

function drawHover(title: string, lines: readonly string[]): HTMLElement {
  const box = document.createElement("div");
  box.className = "cm-hover";
  const name = document.createElement("strong");
  name.textContent = title;
  box.append(name);
  for (const line of lines) {
    const paragraph = document.createElement("p");
    paragraph.textContent = line;
    box.append(paragraph);
  }
  return box;
}
