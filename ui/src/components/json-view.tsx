// Any JSON as a tree: opened bit by bit, searched, copied from; by mouse or with the keys of a tree. Only what is open is
// drawn, and of long lists a portion at a time, so that a large value does not hold up the page.

import { Search } from "lucide-react";
import { useDeferredValue, useMemo, useRef, useState, type KeyboardEvent } from "react";
import type { Json } from "../model/json.ts";
import {
  flatten,
  isContainer,
  keyOf,
  openAtFirst,
  openTo,
  search,
  showPath,
  toggle,
  valueAt,
  type Opened,
  type Path,
  type TreeRow,
} from "../model/json-path.ts";
import { inputLook } from "./field.tsx";
import { JsonRow, MoreRow, Preview } from "./json-row.tsx";

type JsonViewProps = {
  readonly value: Json;
  /** The expression that the whole value has, for paths that are copied; null: no expression reaches it. */
  readonly root: string | null;
  readonly label: string;
};

export function JsonView({ value, root, label }: JsonViewProps) {
  const [text, setText] = useState("");
  const [opened, setOpened] = useState<Opened>(() => openAtFirst(value));
  const [current, setCurrent] = useState<string>(keyOf([]));
  const wanted = useDeferredValue(text.trim());
  // What can be seen at a glance needs no search.
  const isLong = useMemo(() => isContainer(value) && flatten(value, openAtFirst(value)).length > 12, [value]);
  const reveal = (path: Path): void => {
    setText("");
    setOpened(openTo(value, path, opened));
    setCurrent(keyOf(path));
  };
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {isLong ? <SearchBox label={label} text={text} onText={setText} /> : null}
      {wanted === "" ? (
        <Tree
          value={value}
          root={root}
          label={label}
          opened={opened}
          onOpened={setOpened}
          current={current}
          onCurrent={setCurrent}
        />
      ) : (
        <Matches value={value} text={wanted} onReveal={reveal} />
      )}
    </div>
  );
}

function SearchBox({
  label,
  text,
  onText,
}: {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
}) {
  return (
    <div className="relative">
      <Search size={14} strokeWidth={1.75} aria-hidden className="absolute top-2.5 left-2 text-text3" />
      <input
        type="search"
        value={text}
        onChange={(event) => onText(event.target.value)}
        aria-label={`Search in ${label.toLowerCase()}`}
        placeholder="Search keys and values"
        className={`${inputLook} ps-7 text-table`}
      />
    </div>
  );
}

type MatchesProps = { readonly value: Json; readonly text: string; readonly onReveal: (path: Path) => void };

function Matches({ value, text, onReveal }: MatchesProps) {
  const { paths, isCut } = useMemo(() => search(value, text), [value, text]);
  return (
    <div>
      <p role="status" className="px-1 text-meta text-text2">
        {paths.length === 0
          ? "Nothing has it."
          : `${isCut ? "The first " : ""}${paths.length} ${paths.length === 1 ? "place" : "places"}`}
      </p>
      <ul className="font-mono text-code">
        {paths.map((path) => (
          <li key={keyOf(path)}>
            <button
              type="button"
              onClick={() => onReveal(path)}
              className="flex min-h-6 w-full min-w-0 gap-2 rounded px-1 text-start hover:bg-sunken"
            >
              <span className="max-w-[60%] shrink-0 truncate text-text2">{showPath("", path).replace(/^\./, "")}</span>
              <span className="min-w-0 truncate">
                <Preview value={valueAt(value, path) ?? null} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

type TreeProps = JsonViewProps & {
  readonly opened: Opened;
  readonly onOpened: (opened: Opened) => void;
  readonly current: string;
  readonly onCurrent: (key: string) => void;
};

function Tree({ value, root, label, opened, onOpened, current, onCurrent }: TreeProps) {
  const box = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => flatten(value, opened), [value, opened]);
  const focused = rows.some(({ key }) => key === current) ? current : (rows[0]?.key ?? "");
  const go = (row: TreeRow | undefined): void => {
    if (row === undefined) return;
    onCurrent(row.key);
    box.current?.querySelector<HTMLElement>(`[data-at="${rows.indexOf(row)}"]`)?.focus();
  };
  const turn = (row: TreeRow): void => onOpened(toggle(opened, row));
  const press = (event: KeyboardEvent): void => {
    const at = rows.findIndex(({ key }) => key === focused);
    const row = rows[at];
    if (row === undefined || !pressed(event.key, { rows, at, row, go, turn })) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={box} role="tree" aria-label={label} onKeyDown={press} className="min-w-0 font-mono text-code">
      {rows.map((row, at) =>
        row.kind === "more" ? (
          <MoreRow key={row.key} at={at} row={row} isFocused={row.key === focused} onToggle={() => turn(row)} />
        ) : (
          <JsonRow
            key={row.key}
            at={at}
            row={row}
            root={root}
            isFocused={row.key === focused}
            onFocus={() => onCurrent(row.key)}
            onToggle={() => turn(row)}
          />
        ),
      )}
    </div>
  );
}

type Pressing = {
  readonly rows: readonly TreeRow[];
  readonly at: number;
  readonly row: TreeRow;
  readonly go: (row: TreeRow | undefined) => void;
  readonly turn: (row: TreeRow) => void;
};

/** As trees are used everywhere; whether the key meant anything. */
function pressed(key: string, { rows, at, row, go, turn }: Pressing): boolean {
  const isOpen = row.kind === "value" && row.isOpen;
  switch (key) {
    case "ArrowDown":
      go(rows[at + 1]);
      return true;
    case "ArrowUp":
      go(rows[at - 1]);
      return true;
    case "Home":
      go(rows[0]);
      return true;
    case "End":
      go(rows.at(-1));
      return true;
    case "ArrowRight":
      if (isOpen) go(rows[at + 1]);
      else turn(row);
      return true;
    case "ArrowLeft":
      if (isOpen) turn(row);
      else go(rows.slice(0, at).findLast(({ level }) => level < row.level));
      return true;
    case "Enter":
    case " ":
      turn(row);
      return true;
    default:
      return false;
  }
}
