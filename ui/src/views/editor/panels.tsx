// Text on one side, its drawing on the other, what is wrong with it below; in a narrow window one at a time.

import { Suspense, useEffect, useRef, useState, type ReactNode, type RefObject } from "react";
import { lazyPart } from "../../components/lazy-part.ts";
import { mendText } from "../../api/writing.ts";
import { useIsNarrow } from "../../components/narrow.ts";
import { Skeleton } from "../../components/page.tsx";
import { Splitter } from "../../components/splitter.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { tellProblem } from "../../components/toasts.tsx";
import { markOf, type Finding } from "../../model/finding.ts";
import { entryOfNode, nodeAt, scanFlow } from "../../model/flow-text.ts";
import { prefer, usePreference } from "../../preferences.ts";
import type { EditorHandle } from "./code-editor.tsx";
import { Drawing } from "./drawing.tsx";
import { ProblemList } from "./problem-list.tsx";
import type { Draft, Refused } from "./use-draft.ts";
import type { EditQueue } from "./use-edit-queue.ts";
import { useKnown } from "./use-known.ts";
import { useValidation, type Validated } from "./use-validation.ts";

const CodeEditor = lazyPart(
  () => import("./code-editor.tsx"),
  (loaded) => loaded.CodeEditor,
);

/** With what it reads the text by; the text is there first. */
const FormPanel = lazyPart(
  () => import("./form/form-panel.tsx"),
  (loaded) => loaded.FormPanel,
);

type PanelsProps = {
  readonly draft: Draft;
  readonly cursor: number;
  readonly onCursor: (offset: number) => void;
  readonly handle: RefObject<EditorHandle | null>;
  readonly queue: EditQueue;
  readonly isNew: boolean;
};

const sizes = { min: 240, max: 900, usual: "440" };
/** With less room there are a few words to a line of the text. */
const besideFrom = 1024;
const formSizes = { min: 96, max: 800, usual: "340" };

export function Panels({ draft, cursor, onCursor, handle, queue, isNew }: PanelsProps) {
  const { text } = draft;
  const validated = useValidation(text);
  const known = useKnown(text);
  const isNarrow = useIsNarrow(besideFrom);
  const [tab, setTab] = useState("text");
  const { go, fix, select } = useWays(text, validated, handle, () => setTab("text"));
  const problemList = useShownRefusal(draft.refused, validated, () => setTab("problems"));
  const selected = validated.graph === null ? null : nodeAt(scanFlow(text), cursor, validated.graph.nodes);
  const code = (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
      <Suspense fallback={<Skeleton lines={12} height={20} />}>
        <CodeEditor
          ref={handle}
          initial={text}
          known={known}
          findings={validated.findings}
          label="Text of the workflow. Escape, then Tab leaves it."
          onText={draft.setText}
          onCursor={onCursor}
          onFix={fix}
        />
      </Suspense>
    </div>
  );
  const drawing = <Drawing validated={validated} selected={selected} onSelect={select} />;
  const form = (
    <Suspense fallback={<Skeleton lines={4} height={32} />}>
      <FormPanel
        draft={draft}
        known={known}
        handle={handle}
        queue={queue}
        path={pathOfNode(text, validated, selected)}
        isNew={isNew}
      />
    </Suspense>
  );
  const problems = (
    <ProblemList
      ref={problemList}
      validated={validated}
      isRefused={draft.refused?.text === text}
      onGo={(finding) => go(markOf(text, finding).from)}
      onFix={fix}
    />
  );
  const parts = { code, drawing, form, problems };
  if (!isNarrow) return <WidePanels {...parts} />;
  return <NarrowPanels {...parts} tab={tab} onTab={setTab} count={validated.findings.length} />;
}

type Parts = {
  readonly code: ReactNode;
  readonly drawing: ReactNode;
  readonly form: ReactNode;
  readonly problems: ReactNode;
};

function WidePanels({ code, drawing, form, problems }: Parts) {
  const width = Number(usePreference("editor.graph", sizes.usual)) || Number(sizes.usual);
  const height = Number(usePreference("editor.form", formSizes.usual)) || Number(formSizes.usual);
  return (
    <div className="flex min-h-0 flex-1">
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        {code}
        {problems}
      </div>
      <Splitter
        label="Width of the drawing"
        orientation="vertical"
        size={width}
        {...sizes}
        onSize={(size) => prefer("editor.graph", String(size))}
      />
      <div style={{ width, maxWidth: "60%" }} className="flex shrink-0 flex-col">
        {drawing}
        <Splitter
          label="Height of the form"
          orientation="horizontal"
          size={height}
          {...formSizes}
          onSize={(size) => prefer("editor.form", String(size))}
        />
        <div style={{ height, maxHeight: "75%" }} className="flex shrink-0 flex-col">
          {form}
        </div>
      </div>
    </div>
  );
}

/** Where the chosen step is written; null: none is chosen. */
function pathOfNode(text: string, { graph }: Validated, key: string | null): readonly string[] | null {
  const node = graph?.nodes.find((each) => each.key === key);
  return node === undefined ? null : (entryOfNode(scanFlow(text).entries, node)?.path ?? null);
}

type Ways = {
  readonly go: (offset: number) => void;
  readonly fix: (finding: Finding) => void;
  readonly select: (key: string | null) => void;
};

/** From a problem or a node to where it is written, and from a problem to its cure. */
function useWays(text: string, validated: Validated, handle: PanelsProps["handle"], showText: () => void): Ways {
  const go = (offset: number): void => {
    showText();
    // In a narrow window the text has to be in sight first.
    requestAnimationFrame(() => handle.current?.goTo(offset));
  };
  const mend = async ({ patch }: Finding): Promise<void> => {
    handle.current?.setText(await mendText(text, patch));
    showText();
    // The button is gone with what was wrong: whoever did not mean it undoes it with the next key.
    requestAnimationFrame(() => handle.current?.focus());
  };
  const fix = (finding: Finding): void => void mend(finding).catch(tellProblem);
  const select = (key: string | null): void => {
    const node = validated.graph?.nodes.find((each) => each.key === key);
    const entry = node === undefined ? null : entryOfNode(scanFlow(text).entries, node);
    if (entry !== null) go(entry.from);
  };
  return { go, fix, select };
}

/** Leads to the first error of a text that could not be saved, once it is known; gives the list in which it stands. */
function useShownRefusal(
  refused: Refused | null,
  { isChecking }: Validated,
  showProblems: () => void,
): RefObject<HTMLUListElement | null> {
  const list = useRef<HTMLUListElement>(null);
  const shown = useRef(refused);
  useEffect(() => {
    if (refused === shown.current || isChecking) return;
    shown.current = refused;
    showProblems();
    // In a narrow window they have to be in sight first.
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('[data-severity="error"] button')?.focus());
  }, [refused, isChecking]);
  return list;
}

type NarrowProps = Parts & {
  readonly tab: string;
  readonly onTab: (tab: string) => void;
  readonly count: number;
};

/** The text stays where it is while something else is looked at: it must not lose what was undone, nor its cursor. */
function NarrowPanels({ tab, onTab, code, drawing, form, problems, count }: NarrowProps) {
  const tabs = [
    { id: "text", label: "Text", content: () => null },
    { id: "graph", label: "Graph", content: () => <div className="h-[60dvh] min-h-64">{drawing}</div> },
    { id: "form", label: "Form", content: () => form },
    { id: "problems", label: "Problems", count, content: () => problems },
  ];
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <Tabs label="What to show" tabs={tabs} value={tab} onChange={onTab} />
      <div className={tab === "text" ? "flex min-h-64 flex-1 flex-col" : "hidden"}>{code}</div>
    </div>
  );
}
