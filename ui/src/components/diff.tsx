// What differs between two texts, line by line, with what is alike folded away.

import { useMemo, useState } from "react";
import { countChanges, diffLines, foldAlike, type DiffLine, type DiffPart } from "../model/diff.ts";

type DiffProps = {
  readonly before: string;
  readonly after: string;
  readonly beforeName: string;
  readonly afterName: string;
};

export function Diff({ before, after, beforeName, afterName }: DiffProps) {
  const lines = useMemo(() => diffLines(before, after), [before, after]);
  const { added, removed } = countChanges(lines);
  if (added + removed === 0) return <p className="p-4 text-text2">{`${beforeName} and ${afterName} are alike.`}</p>;
  return (
    <div className="min-w-0">
      <p className="px-4 py-2 text-meta text-text2">
        {beforeName} to {afterName}: <span className="text-good">{added} added</span>,{" "}
        <span className="text-danger">{removed} removed</span>
      </p>
      <div
        tabIndex={0}
        role="group"
        aria-label={`Difference between ${beforeName} and ${afterName}`}
        className="overflow-x-auto border-y border-border"
      >
        <table className="w-full border-collapse font-mono text-code">
          <thead className="sr-only">
            <tr>
              <th scope="col">{beforeName}</th>
              <th scope="col">{afterName}</th>
              <th scope="col">Change</th>
              <th scope="col">Line</th>
            </tr>
          </thead>
          {foldAlike(lines).map((part, at) => (
            <Part key={at} part={part} />
          ))}
        </table>
      </div>
    </div>
  );
}

function Part({ part }: { readonly part: DiffPart }) {
  const [isOpen, setOpen] = useState(part.kind === "lines" || part.lines.length < 4);
  if (isOpen)
    return (
      <tbody>
        {part.lines.map((line) => (
          <Line key={`${line.before ?? ""}/${line.after ?? ""}`} line={line} />
        ))}
      </tbody>
    );
  return (
    <tbody>
      <tr>
        <td colSpan={4} className="bg-sunken">
          <button
            type="button"
            onClick={() => setOpen(true)}
            className="min-h-7 w-full px-3 text-start font-sans text-meta text-text2 hover:text-text"
          >
            {part.lines.length} lines are alike: show them
          </button>
        </td>
      </tr>
    </tbody>
  );
}

const looks = {
  same: ["", " ", "unchanged"],
  added: ["bg-good-tint text-good", "+", "added"],
  removed: ["bg-danger-tint text-danger", "-", "removed"],
} as const;

function Line({ line: { kind, text, before, after } }: { readonly line: DiffLine }) {
  const [look, sign, word] = looks[kind];
  return (
    <tr className={look}>
      <td className="w-10 px-2 text-end text-text2 select-none">{before}</td>
      <td className="w-10 px-2 text-end text-text2 select-none">{after}</td>
      <td className="w-4 text-center select-none">
        <span aria-hidden>{sign}</span>
        <span className="sr-only">{word}</span>
      </td>
      <td className="px-2 whitespace-pre">{text}</td>
    </tr>
  );
}
