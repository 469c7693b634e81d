// The text of a flow in an editor, which is a world of its own: it is told what is found, and tells what is written.

import { isolateHistory } from "@codemirror/commands";
import { setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { useEffect, useImperativeHandle, useRef, type Ref } from "react";
import type { Known } from "../../model/completion.ts";
import { changeBetween, cureOf, markOf, type Finding } from "../../model/finding.ts";
import { syntaxOf } from "../../model/flow-text.ts";
import { extensionsFor, languageOf } from "./codemirror/extensions.ts";

export type EditorHandle = {
  /** Puts the cursor there, in sight. */
  readonly goTo: (offset: number) => void;
  /** As one change that can be undone, with the cursor where it was, or there. */
  readonly setText: (text: string, cursor?: number) => void;
  readonly focus: () => void;
  /** As it stands at this moment. */
  readonly text: () => string;
};

type CodeEditorProps = {
  readonly initial: string;
  readonly known: Known;
  readonly findings: readonly Finding[];
  readonly label: string;
  readonly onText: (text: string) => void;
  readonly onCursor: (offset: number) => void;
  readonly onFix: (finding: Finding) => void;
  readonly ref: Ref<EditorHandle>;
};

export function CodeEditor(props: CodeEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  // What it asks for when it needs it is always the newest.
  const newest = useRef(props);
  useEffect(() => {
    newest.current = props;
  });
  useEffect(() => {
    const opened = openView(place.current, () => newest.current);
    view.current = opened;
    return () => opened.destroy();
  }, []);
  useEffect(() => {
    const opened = view.current;
    if (opened !== null)
      opened.dispatch(
        setDiagnostics(
          opened.state,
          toDiagnostics(opened, props.findings, () => newest.current),
        ),
      );
  }, [props.findings]);
  useImperativeHandle(
    props.ref,
    () => ({
      goTo: (offset) => goTo(view.current, offset),
      setText: (text, cursor) => setText(view.current, text, cursor),
      focus: () => view.current?.focus(),
      text: () => view.current?.state.doc.toString() ?? newest.current.initial,
    }),
    [],
  );
  return <div ref={place} data-testid="code" className="min-h-0 flex-1 overflow-hidden" />;
}

function openView(parent: HTMLElement | null, now: () => CodeEditorProps): EditorView {
  const language = new Compartment();
  let syntax = syntaxOf(now().initial);
  const extensions = extensionsFor({
    known: () => now().known,
    label: now().label,
    onUpdate: ({ docChanged, selectionSet, state, view }) => {
      if (docChanged) {
        const text = state.doc.toString();
        now().onText(text);
        if (syntaxOf(text) !== syntax) {
          syntax = syntaxOf(text);
          const effects = language.reconfigure(languageOf(syntax));
          queueMicrotask(() => view.dispatch({ effects }));
        }
      }
      if (docChanged || selectionSet) now().onCursor(state.selection.main.head);
    },
  });
  return new EditorView({
    state: EditorState.create({ doc: now().initial, extensions: [extensions, language.of(languageOf(syntax))] }),
    ...(parent === null ? {} : { parent }),
  });
}

function toDiagnostics(
  view: EditorView,
  findings: readonly Finding[],
  now: () => CodeEditorProps,
): readonly Diagnostic[] {
  const text = view.state.doc.toString();
  return findings.map((finding) => {
    const { from, to } = markOf(text, finding);
    return {
      from: Math.min(from, text.length),
      to: Math.min(to, text.length),
      severity: finding.isError ? "error" : "warning",
      message: finding.message,
      ...(finding.patch === null ? {} : { actions: [{ name: cureOf(finding), apply: () => now().onFix(finding) }] }),
    };
  });
}

function goTo(view: EditorView | null, offset: number): void {
  if (view === null) return;
  const anchor = Math.min(offset, view.state.doc.length);
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
  view.focus();
}

function setText(view: EditorView | null, text: string, cursor?: number): void {
  const change = view === null ? null : changeBetween(view.state.doc.toString(), text);
  if (change === null) return;
  view?.dispatch({
    changes: change,
    userEvent: "input.fix",
    annotations: isolateHistory.of("full"),
    ...(cursor === undefined ? {} : { selection: { anchor: Math.min(cursor, text.length) } }),
  });
}
