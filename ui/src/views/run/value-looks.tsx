// Ways to look at a value other than as a tree. What tools say is shown as text, whatever it looks like.

import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { Preview } from "../../components/json-row.tsx";
import type { Block } from "../../model/content.ts";
import { isObject, type Json } from "../../model/json.ts";
import { portion } from "../../model/json-path.ts";

const textPortion = 50_000;

export function PlainText({
  label,
  text,
  isCode,
}: {
  readonly label: string;
  readonly text: string;
  readonly isCode: boolean;
}) {
  const [shown, setShown] = useState(textPortion);
  return (
    <div className="flex min-w-0 flex-col items-start gap-2">
      <pre
        tabIndex={0}
        role="group"
        aria-label={label}
        className={`max-h-[60vh] w-full overflow-auto rounded-card bg-sunken p-3 break-words whitespace-pre-wrap ${isCode ? "" : "font-sans text-body"}`}
      >
        {text.slice(0, shown)}
      </pre>
      {text.length <= shown ? null : (
        <Button isSmall onClick={() => setShown(shown + 4 * textPortion)}>
          Show more: {text.length - shown} characters are left
        </Button>
      )}
    </div>
  );
}

export function Blocks({ label, blocks }: { readonly label: string; readonly blocks: readonly Block[] }) {
  return (
    <div className="flex flex-col gap-3">
      {blocks.map((block, at) => (
        <BlockView key={at} block={block} label={`${label}, part ${at + 1}`} />
      ))}
    </div>
  );
}

function BlockView({ block, label }: { readonly block: Block; readonly label: string }) {
  switch (block.kind) {
    case "text":
      return <PlainText label={label} text={block.text} isCode={false} />;
    case "image":
      return (
        <img
          src={block.address}
          alt={label}
          className="max-h-96 max-w-full rounded-card border border-border object-contain"
        />
      );
    case "other":
      return <JsonView value={block.value} root={null} label={label} />;
  }
}

type ValueTableProps = { readonly label: string; readonly rows: readonly Json[]; readonly columns: readonly string[] };

export function ValueTable({ label, rows, columns }: ValueTableProps) {
  const [shown, setShown] = useState(portion);
  return (
    <div className="flex min-w-0 flex-col items-start gap-2">
      <div
        tabIndex={0}
        role="group"
        aria-label={label}
        className="max-h-[60vh] w-full overflow-auto rounded-card border border-border"
      >
        <table className="w-full border-collapse text-table">
          <thead className="sticky top-0 bg-sunken">
            <tr>
              <th scope="col" className="px-2 py-1 text-text2">
                #
              </th>
              {columns.map((column) => (
                <th key={column} scope="col" className="px-2 py-1 font-mono text-code whitespace-nowrap">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((row, at) => (
              <tr key={at} className="border-t border-border">
                <td className="px-2 py-1 text-text2">{at}</td>
                {columns.map((column) => (
                  <td key={column} className="max-w-72 truncate px-2 py-1 font-mono text-code">
                    {isObject(row) && Object.hasOwn(row, column) ? <Preview value={row[column] ?? null} /> : null}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length <= shown ? null : (
        <Button isSmall onClick={() => setShown(shown + portion)}>
          Show more: {rows.length - shown} rows are left
        </Button>
      )}
    </div>
  );
}
