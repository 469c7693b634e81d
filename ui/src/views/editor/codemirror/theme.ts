// The editor in our colours; both themes come with the variables.

import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const popup = {
  border: "1px solid var(--border-strong)",
  borderRadius: "8px",
  backgroundColor: "var(--surface)",
  color: "var(--text)",
};

const looks = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--surface)", fontSize: "13px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-mono)", lineHeight: "20px" },
  ".cm-content": { caretColor: "var(--accent)", padding: "8px 0" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--running-tint)",
  },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--sunken) 60%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--sunken)", color: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--text3)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { minWidth: "32px", padding: "0 4px 0 8px" },
  ".cm-foldGutter .cm-gutterElement": { color: "var(--text3)", cursor: "pointer" },
  ".cm-foldPlaceholder": {
    backgroundColor: "var(--sunken)",
    border: "1px solid var(--border)",
    color: "var(--text2)",
    padding: "0 4px",
  },
  ".cm-matchingBracket": { backgroundColor: "var(--ready-tint) !important", color: "var(--ready-fg)" },
  ".cm-expression": { color: "var(--sleeping-fg)", backgroundColor: "var(--sleeping-tint)", borderRadius: "3px" },
  ".cm-expression span": { color: "inherit !important" },
  ".cm-searchMatch": { backgroundColor: "var(--waiting-tint)", outline: "1px solid var(--waiting-solid)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--running-tint)" },
  ".cm-lintRange-error": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--failed-solid)",
    textUnderlineOffset: "4px",
  },
  ".cm-lintRange-warning": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--waiting-solid)",
    textUnderlineOffset: "4px",
  },
});

const parts = EditorView.theme({
  ".cm-tooltip": { ...popup, boxShadow: "0 4px 16px rgb(0 0 0 / 0.18)", maxWidth: "min(480px, 90vw)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--font-mono)", fontSize: "12.5px", maxHeight: "16em" },
  ".cm-tooltip-autocomplete ul li": { padding: "3px 8px !important" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--accent) !important",
    color: "var(--on-accent) !important",
  },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-completionInfo": {
    ...popup,
    padding: "8px 10px !important",
    fontFamily: "var(--font-sans)",
    fontSize: "12px",
    lineHeight: "16px",
    maxWidth: "280px",
  },
  ".cm-diagnostic": { padding: "6px 10px", fontFamily: "var(--font-sans)", fontSize: "13px" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--failed-solid)" },
  ".cm-diagnostic-warning": { borderLeft: "3px solid var(--waiting-solid)" },
  ".cm-diagnosticAction": {
    backgroundColor: "var(--accent)",
    color: "var(--on-accent)",
    borderRadius: "6px",
    padding: "3px 8px",
    fontSize: "12px",
  },
  ".cm-hover": { padding: "8px 10px", fontFamily: "var(--font-sans)", fontSize: "13px", lineHeight: "18px" },
  ".cm-hover strong": { fontFamily: "var(--font-mono)", fontSize: "12.5px" },
  ".cm-panels": { backgroundColor: "var(--sunken)", color: "var(--text)", borderColor: "var(--border)" },
  ".cm-panel.cm-search": { padding: "8px", fontFamily: "var(--font-sans)" },
  ".cm-panel.cm-search label": { fontSize: "12px" },
  ".cm-textfield": {
    backgroundColor: "var(--surface)",
    color: "var(--text)",
    fontSize: "12px",
    border: "1px solid var(--border-strong)",
    borderRadius: "6px",
    padding: "4px 8px",
  },
  ".cm-button": {
    backgroundImage: "none",
    backgroundColor: "var(--surface)",
    color: "var(--text)",
    fontSize: "12px",
    border: "1px solid var(--border-strong)",
    borderRadius: "6px",
    padding: "4px 8px",
  },
  ".cm-panel.cm-search [name=close]": { color: "var(--text2)", fontSize: "18px", width: "24px", height: "24px" },
});

const words = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--done-fg)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword, tags.atom], color: "var(--retrying-fg)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--text3)", fontStyle: "italic" },
  { tag: [tags.punctuation, tags.separator, tags.bracket, tags.squareBracket, tags.brace], color: "var(--text2)" },
  { tag: [tags.meta, tags.labelName, tags.typeName], color: "var(--ready-fg)" },
]);

export const theme: Extension = [looks, parts, syntaxHighlighting(words)];
