// Parts of a page of the documentation, each as what it is.

import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { CopyButton } from "../../components/page.tsx";
import { docsPlaceOf, type Block, type Inline } from "../../model/docs-text.ts";

type Line = readonly Inline[];

export function BlockView({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case "heading":
      return <Heading block={block} />;
    case "paragraph":
      return (
        <p className="break-words">
          <Words line={block.inside} />
        </p>
      );
    case "code":
      return <Code text={block.text} />;
    case "list":
      return <List block={block} />;
    case "table":
      return <DocsTable block={block} />;
  }
}

function Heading({ block: { level, id, inside } }: { readonly block: Extract<Block, { kind: "heading" }> }) {
  const words = <Words line={inside} />;
  if (level <= 2)
    return (
      <h2 id={id} className="mt-4 scroll-mt-4 text-title">
        {words}
      </h2>
    );
  return (
    <h3 id={id} className="mt-2 scroll-mt-4 font-semibold">
      {words}
    </h3>
  );
}

function Code({ text }: { readonly text: string }) {
  return (
    <div className="relative">
      <pre
        tabIndex={0}
        role="group"
        aria-label="Example"
        className="overflow-x-auto rounded-card border border-border bg-sunken p-3 pe-12"
      >
        {text}
      </pre>
      <span className="absolute top-1 right-1 rounded-control bg-sunken">
        <CopyButton isSmall text={text} label="Copy the example" />
      </span>
    </div>
  );
}

function List({ block: { isOrdered, items } }: { readonly block: Extract<Block, { kind: "list" }> }) {
  const drawn = items.map((item, at) => (
    <li key={at} className="break-words">
      <Words line={item} />
    </li>
  ));
  return isOrdered ? <ol className="list-decimal ps-6">{drawn}</ol> : <ul className="list-disc ps-6">{drawn}</ul>;
}

function DocsTable({ block: { head, rows } }: { readonly block: Extract<Block, { kind: "table" }> }) {
  const hasHead = head.some((cell) => cell.length > 0);
  return (
    <div className="overflow-x-auto rounded-card border border-border" tabIndex={0} role="group" aria-label="Table">
      <table className="w-full text-table max-sm:table-fixed">
        {hasHead ? (
          <thead>
            <tr className="border-b border-border text-start text-text2">
              {head.map((cell, at) => (
                <th key={at} scope="col" className="px-3 py-2 text-start">
                  <Words line={cell} />
                </th>
              ))}
            </tr>
          </thead>
        ) : null}
        <tbody>
          {rows.map((row, at) => (
            <tr key={at} id={idOf(row)} className="scroll-mt-4 border-b border-border align-top last:border-0">
              {row.map((cell, column) => (
                <td key={column} className="px-3 py-1.5 wrap-anywhere sm:min-w-24 sm:wrap-normal">
                  <Words line={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A row about one name, such as the code of an error, is found by it: problems link there. */
function idOf([first = []]: readonly Line[]): string | undefined {
  const [only, ...more] = first;
  return more.length === 0 && only?.kind === "code" && /^\w+$/.test(only.text) ? only.text.toLowerCase() : undefined;
}

function Words({ line }: { readonly line: Line }): ReactNode {
  return line.map((part, at) => <Word key={at} part={part} />);
}

function Word({ part }: { readonly part: Inline }): ReactNode {
  switch (part.kind) {
    case "text":
      return part.text;
    case "code":
      return <code className="rounded-xs bg-sunken px-1 break-words">{part.text}</code>;
    case "strong":
      return <strong>{part.text}</strong>;
    case "em":
      return <em>{part.text}</em>;
    case "link":
      return <DocsLink to={part.to} line={part.inside} />;
  }
}

/** What does not come with the page, such as a file of an example, is named and not linked. */
function DocsLink({ to, line }: { readonly to: string; readonly line: Line }) {
  const place = docsPlaceOf(to);
  const words = <Words line={line} />;
  const look = "text-accent underline";
  if (place === null)
    return /^https?:\/\//.test(to) ? (
      <a href={to} rel="noreferrer" className={look}>
        {words}
      </a>
    ) : (
      words
    );
  const hash = place.hash === null ? {} : { hash: place.hash };
  return place.name === null ? (
    <a href={`#${place.hash ?? ""}`} className={look}>
      {words}
    </a>
  ) : (
    <Link to="/docs/$name" params={{ name: place.name }} {...hash} className={look}>
      {words}
    </Link>
  );
}
