import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import {
  bracketMatching,
  foldGutter,
  foldKeymap,
  indentOnInput,
  indentService,
  indentUnit,
} from "@codemirror/language";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension } from "@codemirror/state";
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  MatchDecorator,
  ViewPlugin,
  type DecorationSet,
  type ViewUpdate,
} from "@codemirror/view";
import type { Known } from "../../../model/completion.ts";
import { indentBehind } from "../../../model/indent.ts";
import { asksOn, completionSource, hoverWords } from "./assist.ts";
import { theme } from "./theme.ts";

/** Expressions stand out from the texts around them. */
const matcher = new MatchDecorator({ regexp: /\{\{.*?\}\}/g, decoration: Decoration.mark({ class: "cm-expression" }) });
const expressions = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = matcher.createDeco(view);
    }
    update(update: ViewUpdate): void {
      this.decorations = matcher.updateDeco(update, this.decorations);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

export type Hooks = {
  readonly known: () => Known;
  readonly label: string;
  readonly onUpdate: (update: ViewUpdate) => void;
};

/** The language's own would put what is below a key under the end of that key. */
const yamlIndent = indentService.of((context, at) =>
  context.simulatedBreak === null ? undefined : (indentBehind(context.lineAt(at, -1).text) ?? undefined),
);

export function languageOf(syntax: "yaml" | "json"): Extension {
  return syntax === "json" ? json() : [yaml(), yamlIndent];
}

export function extensionsFor({ known, label, onUpdate }: Hooks): Extension {
  return [
    lineNumbers(),
    lintGutter(),
    foldGutter(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    history(),
    drawSelection(),
    EditorView.lineWrapping,
    EditorState.allowMultipleSelections.of(true),
    indentOnInput(),
    indentUnit.of("  "),
    EditorState.tabSize.of(2),
    bracketMatching(),
    closeBrackets(),
    expressions,
    autocompletion({
      override: [completionSource(known)],
      activateOnCompletion: asksOn,
      icons: false,
      maxRenderedOptions: 60,
    }),
    hoverWords(known),
    search({ top: true }),
    highlightSelectionMatches(),
    keymap.of([
      { key: "Tab", run: acceptCompletion },
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...completionKeymap,
      ...lintKeymap,
      indentWithTab,
    ]),
    theme,
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false", autocapitalize: "off" }),
    EditorView.updateListener.of(onUpdate),
  ];
}
