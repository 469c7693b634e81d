// Markdown as elements. Whatever a text says, what is drawn of it are the elements below; nothing of it is ever HTML.

import { Fragment, useMemo, type ReactNode } from "react";
import type { Inline } from "../model/markdown-inline.ts";
import { parseMarkdown, type MarkdownBlock } from "../model/markdown.ts";

export function MarkdownText({ text }: { readonly text: string }) {
  const { blocks, omitted } = useMemo(() => parseMarkdown(text), [text]);
  return (
    <div data-testid="markdown" className="flex min-w-0 flex-col gap-2 break-words">
      <Blocks blocks={blocks} />
      {omitted === 0 ? null : (
        <p className="text-text2">
          {omitted.toLocaleString("en")} more characters are not drawn; all of it can be read as text.
        </p>
      )}
    </div>
  );
}

function Blocks({ blocks }: { readonly blocks: readonly MarkdownBlock[] }) {
  return blocks.map((block, at) => <Fragment key={at}>{drawBlock(block)}</Fragment>);
}

function drawBlock(block: MarkdownBlock): ReactNode {
  switch (block.kind) {
    case "heading":
      return (
        <p role="heading" aria-level={block.level} className="mt-1 font-semibold whitespace-pre-wrap">
          <Inlines inlines={block.inlines} />
        </p>
      );
    case "paragraph":
      return (
        <p className="whitespace-pre-wrap">
          <Inlines inlines={block.inlines} />
        </p>
      );
    case "code":
      // Long lines go on below: a region that scrolls would be one more stop for who goes by keys.
      return (
        <pre className="rounded-card border border-border bg-sunken p-2 break-words whitespace-pre-wrap">
          {block.text}
        </pre>
      );
    case "rule":
      return <hr className="border-border" />;
    case "quote":
      return (
        <blockquote className="flex min-w-0 flex-col gap-2 border-s-2 border-border ps-3 text-text2">
          <Blocks blocks={block.blocks} />
        </blockquote>
      );
    case "list":
      return <List list={block} />;
  }
}

function List({ list }: { readonly list: Extract<MarkdownBlock, { kind: "list" }> }) {
  const items = list.items.map((blocks, at) => (
    <li key={at} className="min-w-0">
      <Blocks blocks={blocks} />
    </li>
  ));
  return list.isOrdered ? (
    <ol start={list.start} className="list-decimal ps-6">
      {items}
    </ol>
  ) : (
    <ul className="list-disc ps-6">{items}</ul>
  );
}

function Inlines({ inlines }: { readonly inlines: readonly Inline[] }) {
  return inlines.map((inline, at) => <Fragment key={at}>{drawInline(inline)}</Fragment>);
}

function drawInline(inline: Inline): ReactNode {
  switch (inline.kind) {
    case "text":
      return inline.text;
    case "code":
      return <code className="rounded bg-sunken px-1">{inline.text}</code>;
    case "emphasis":
      return (
        <em>
          <Inlines inlines={inline.inlines} />
        </em>
      );
    case "strong":
      return (
        <strong className="font-semibold">
          <Inlines inlines={inline.inlines} />
        </strong>
      );
    case "link":
      return <TextLink link={inline} />;
    case "picture":
      return (
        <span className="text-text2">
          {`[picture: ${inline.text}${inline.address === null ? "" : `, ${inline.address}`}]`}
        </span>
      );
  }
}

/** Where it leads stands beside what it says: the text is somebody else's. Each has a direction of its own, so that no sign
 *  in the text turns the address round. */
function TextLink({ link }: { readonly link: Extract<Inline, { kind: "link" }> }) {
  const [first] = link.inlines;
  const isBare = link.inlines.length === 1 && first?.kind === "text" && first.text === link.address;
  return (
    <>
      <a
        dir="auto"
        href={link.address}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="break-all underline"
      >
        <Inlines inlines={link.inlines} />
      </a>
      {isBare ? null : <span dir="ltr" className="break-all text-text2">{` (${link.address})`}</span>}
    </>
  );
}
