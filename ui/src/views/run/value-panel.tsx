// One value of a run or a step: as a tree, a text, a table, or as the blocks in which a tool has answered. A large one is
// fetched when somebody asks for it.

import { useQuery } from "@tanstack/react-query";
import { Copy, Download } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { ValuePart } from "../../api/run-values.ts";
import { Button } from "../../components/button.tsx";
import { Choice } from "../../components/choice.tsx";
import { copyText } from "../../components/copy-text.ts";
import { Failed, Skeleton } from "../../components/page.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { MarkdownText } from "../../components/markdown.tsx";
import { blocksOf } from "../../model/content.ts";
import { omittedBytes, type Json } from "../../model/json.ts";
import { isContainer, sizeOf, tableOf } from "../../model/json-path.ts";
import { markdownOf } from "../../model/markdown.ts";
import { showBytes } from "../../model/time.ts";
import { Blocks, PlainText, ValueTable } from "./value-looks.tsx";

type ValuePanelProps = {
  readonly label: string;
  readonly value: Json;
  /** The expression by which steps reach it; null: none does. */
  readonly root: string | null;
  /** All of it, where it was left out; null: it is all there. */
  readonly part: ValuePart | null;
};

export function ValuePanel({ label, value, root, part }: ValuePanelProps) {
  const bytes = omittedBytes(value);
  if (bytes === null) return <ValueLooks label={label} value={value} root={root} part={part} />;
  if (part === null) return <p className="text-text2">{showBytes(bytes)}: too large to be shown here.</p>;
  return <Omitted label={label} bytes={bytes} root={root} part={part} />;
}

/** Large values are let go soon. */
const keptMs = 60_000;

type OmittedProps = Omit<ValuePanelProps, "value" | "part"> & { readonly bytes: number; readonly part: ValuePart };

function Omitted({ label, bytes, root, part }: OmittedProps) {
  const [isWanted, setWanted] = useState(false);
  const query = useQuery({ queryKey: part.key, queryFn: part.read, gcTime: keptMs, enabled: isWanted });
  if (query.data !== undefined) return <ValueLooks label={label} value={query.data} root={root} part={part} />;
  if (query.error !== null) return <Failed error={query.error} again={() => void query.refetch()} />;
  if (isWanted) return <Skeleton lines={3} />;
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-card border border-border bg-sunken p-3">
      <span className="me-auto">{showBytes(bytes)}, not loaded</span>
      <Button isSmall onClick={() => setWanted(true)}>
        Load
      </Button>
      <DownloadLink part={part} />
    </div>
  );
}

function DownloadLink({ part }: { readonly part: ValuePart | null }) {
  if (part === null) return null;
  return (
    <a
      href={part.address}
      download
      className="inline-flex min-h-7 items-center gap-1.5 rounded-control px-2 text-meta font-medium text-text2 hover:bg-sunken hover:text-text"
    >
      <Download size={14} strokeWidth={1.75} aria-hidden /> Download
    </a>
  );
}

type Look = { readonly id: string; readonly word: string; readonly draw: () => ReactNode };

function looksOf(label: string, value: Json, root: string | null): readonly Look[] {
  const blocks = blocksOf(value);
  const table = tableOf(value);
  const markdown = markdownOf(value);
  const marked: readonly Look[] =
    markdown === null
      ? []
      : [{ id: "markdown", word: "Markdown", draw: () => <Marked label={label} text={markdown} /> }];
  const tree: Look = { id: "tree", word: "Tree", draw: () => <JsonView value={value} root={root} label={label} /> };
  const text: Look = {
    id: "text",
    word: "Text",
    draw: () => (
      <PlainText
        label={label}
        text={typeof value === "string" ? value : JSON.stringify(value, null, 2)}
        isCode={typeof value !== "string"}
      />
    ),
  };
  if (typeof value === "string") return [text, ...marked, tree];
  return [
    ...(blocks === null
      ? []
      : [{ id: "blocks", word: "Content", draw: () => <Blocks label={label} blocks={blocks} /> }]),
    tree,
    ...(table === null
      ? []
      : [
          {
            id: "table",
            word: "Table",
            draw: () => <ValueTable label={label} rows={table.rows} columns={table.columns} />,
          },
        ]),
    ...marked,
    text,
  ];
}

function Marked({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div
      tabIndex={0}
      role="group"
      aria-label={label}
      className="max-h-[60vh] overflow-auto rounded-card border border-border p-3"
    >
      <MarkdownText text={text} />
    </div>
  );
}

function ValueLooks({ label, value, root, part }: ValuePanelProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  if (value === null) return <p className="text-text2">Nothing (null).</p>;
  if (isContainer(value) && sizeOf(value) === 0)
    return <p className="mono text-text2">{Array.isArray(value) ? "[]" : "{}"}</p>;
  const looks = looksOf(label, value, root);
  const look = looks.find(({ id }) => id === chosen) ?? looks[0];
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-1">
        <Choice label={`How to show: ${label}`} choices={looks} chosen={look?.id ?? ""} onChoose={setChosen} />
        <span className="ms-auto" />
        <CopyValue value={value} />
        <DownloadLink part={part} />
      </div>
      {look?.draw()}
    </div>
  );
}

/** Its text is made when it is asked for: that of a large value takes a while. */
function CopyValue({ value }: { readonly value: Json }) {
  return (
    <Button
      look="quiet"
      isSmall
      icon={Copy}
      onClick={() => void copyText(typeof value === "string" ? value : JSON.stringify(value, null, 2))}
    >
      Copy
    </Button>
  );
}
