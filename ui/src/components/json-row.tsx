// One line of a JSON tree.

import { ChevronDown, ChevronRight, Copy, Route } from "lucide-react";
import { useState, type ReactNode } from "react";
import { isObject, type Json } from "../model/json.ts";
import { isContainer, showPath, sizeOf, type TreeRow } from "../model/json-path.ts";
import { copyText } from "./copy-text.ts";

type ValueRow = Extract<TreeRow, { readonly kind: "value" }>;

type JsonRowProps = {
  readonly at: number;
  readonly row: ValueRow;
  readonly root: string | null;
  readonly isFocused: boolean;
  readonly onFocus: () => void;
  readonly onToggle: () => void;
};

/** Far enough in to be seen, and no further: deep values must not leave a narrow panel. */
function indent(level: number): { readonly paddingInlineStart: number } {
  return { paddingInlineStart: Math.min(level - 1, 12) * 14 };
}

export function JsonRow({ at, row, root, isFocused, onFocus, onToggle }: JsonRowProps) {
  const { path, level, value, isOpen } = row;
  const canOpen = isContainer(value) && sizeOf(value) > 0;
  const key = path.at(-1);
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <div
      role="treeitem"
      data-at={at}
      tabIndex={isFocused ? 0 : -1}
      aria-level={level}
      aria-expanded={canOpen ? isOpen : undefined}
      aria-selected={isFocused}
      onFocus={onFocus}
      style={indent(level)}
      className="group flex min-h-6 items-start gap-1 rounded hover:bg-sunken focus-visible:outline-offset-[-2px]"
    >
      <span
        className="flex h-6 w-4 shrink-0 items-center justify-center text-text3"
        onClick={canOpen ? onToggle : undefined}
        aria-hidden
      >
        {canOpen ? <Chevron size={14} strokeWidth={1.75} /> : null}
      </span>
      <span className="min-w-0 flex-1 py-[3px] break-words" onClick={canOpen ? onToggle : undefined}>
        {key === undefined ? null : (
          <span className="text-accent">{typeof key === "number" ? key : key === "" ? '""' : key}</span>
        )}
        {key === undefined ? null : <span className="text-text3">: </span>}
        {isContainer(value) ? <Summary value={value} isOpen={isOpen} /> : <Leaf value={value} />}
      </span>
      <RowButtons row={row} root={root} isFocused={isFocused} />
    </div>
  );
}

/** They are there for whoever points at the row or stands on it, and always for a finger, which does neither; as keys they
 *  follow the row itself. */
function RowButtons({
  row: { path, value },
  root,
  isFocused,
}: {
  readonly row: ValueRow;
  readonly root: string | null;
  readonly isFocused: boolean;
}) {
  const look = `${isFocused ? "group-focus-within:inline-flex" : ""} hidden group-hover:inline-flex pointer-coarse:inline-flex size-6 shrink-0 items-center justify-center rounded text-text2 hover:bg-surface hover:text-text`;
  const shown = root === null ? null : showPath(root, path);
  return (
    <>
      {shown === null ? null : (
        <button
          type="button"
          className={look}
          aria-label={`Copy the path ${shown}`}
          title={shown}
          onClick={() => void copyText(shown)}
        >
          <Route size={13} strokeWidth={1.75} aria-hidden />
        </button>
      )}
      <button
        type="button"
        className={look}
        aria-label="Copy this value"
        title="Copy this value"
        onClick={() => void copyText(typeof value === "string" ? value : JSON.stringify(value, null, 2))}
      >
        <Copy size={13} strokeWidth={1.75} aria-hidden />
      </button>
    </>
  );
}

type MoreRowProps = {
  readonly at: number;
  readonly row: Extract<TreeRow, { readonly kind: "more" }>;
  readonly isFocused: boolean;
  readonly onToggle: () => void;
};

export function MoreRow({ at, row, isFocused, onToggle }: MoreRowProps) {
  return (
    <div
      role="treeitem"
      data-at={at}
      tabIndex={isFocused ? 0 : -1}
      aria-level={row.level}
      aria-selected={isFocused}
      style={indent(row.level)}
      onClick={onToggle}
      className="min-h-6 cursor-pointer rounded ps-5 font-sans text-meta leading-6 text-accent hover:bg-sunken"
    >
      {row.side === "before" ? `Show more: ${row.left} stand before these` : `Show more: ${row.left} are left`}
    </div>
  );
}

function Summary({ value, isOpen }: { readonly value: Json; readonly isOpen: boolean }) {
  const size = sizeOf(value);
  const isList = Array.isArray(value);
  if (size === 0) return <span>{isList ? "[]" : "{}"}</span>;
  const words = isList ? `${size} ${size === 1 ? "item" : "items"}` : `${size} ${size === 1 ? "key" : "keys"}`;
  if (isOpen) return <span className="text-text3">{words}</span>;
  return (
    <span className="text-text3">
      {isList ? "[…] " : "{…} "}
      {words}
      {isObject(value) ? <span className="ms-2 font-sans text-meta">{hintAt(value)}</span> : null}
    </span>
  );
}

/** The first few keys, so that one need not open it to know what it is. */
function hintAt(value: { readonly [key: string]: Json }): string {
  const keys = Object.keys(value);
  const first = keys.slice(0, 4).map((key) => (key.length > 24 ? `${key.slice(0, 24)}…` : key));
  return first.join(", ") + (keys.length > first.length ? ", …" : "");
}

/** A text is folded after so many characters, and unfolded in portions. */
const foldedAt = 300;
const unfoldedBy = 20_000;

function Leaf({ value }: { readonly value: null | boolean | number | string }): ReactNode {
  const [shown, setShown] = useState(foldedAt);
  if (typeof value !== "string") return <span className="text-[var(--running-fg)]">{String(value)}</span>;
  if (value.length <= shown) return <span className="whitespace-pre-wrap text-good">{`"${value}"`}</span>;
  return (
    <span className="whitespace-pre-wrap text-good">
      {`"${value.slice(0, shown)}… `}
      <button
        type="button"
        onClick={() => setShown(shown + unfoldedBy)}
        className="min-h-6 rounded px-1 font-sans text-meta text-accent hover:underline"
      >
        {value.length - shown} more characters
      </button>
    </span>
  );
}

/** In one line. */
export function Preview({ value }: { readonly value: Json }): ReactNode {
  if (isContainer(value)) return <Summary value={value} isOpen={false} />;
  return (
    <span className={typeof value === "string" ? "text-good" : "text-[var(--running-fg)]"}>
      {typeof value === "string" ? `"${value.slice(0, 200)}"` : String(value)}
    </span>
  );
}
