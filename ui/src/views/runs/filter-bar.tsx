// What is looked for: chips for what is said already, and a field in which more is typed or picked.

import { ListFilter, X } from "lucide-react";
import { useId, useRef, useState, type KeyboardEvent } from "react";
import {
  addWords,
  chipsOf,
  complete,
  isEmptyFilter,
  notUnderstood,
  suggest,
  without,
  type Chip,
  type RunFilter,
  type Suggestion,
} from "../../model/run-filter.ts";
import { Button } from "../../components/button.tsx";

type BarProps = {
  readonly filter: RunFilter;
  readonly onChange: (filter: RunFilter) => void;
  readonly workflows: readonly string[];
  readonly users: readonly string[];
};

export function FilterBar({ filter, onChange, workflows, users }: BarProps) {
  const input = useRef<HTMLInputElement>(null);
  const chips = chipsOf(filter);
  const [note, setNote] = useState<string | null>(null);
  return (
    <div
      role="search"
      aria-label="Filter runs"
      className="relative flex min-h-8 min-w-0 flex-1 flex-wrap items-center gap-1 rounded-control border border-strong bg-surface px-1.5 focus-within:border-accent"
      onClick={(event) => (event.target === event.currentTarget ? input.current?.focus() : undefined)}
    >
      <ListFilter size={16} strokeWidth={1.75} aria-hidden className="ms-1 shrink-0 text-text3" />
      {chips.length === 0 ? null : (
        <ul className="contents" aria-label="Filters">
          {chips.map((chip) => (
            <ChipItem key={chip.keys.join()} chip={chip} onRemove={() => onChange(without(filter, chip))} />
          ))}
        </ul>
      )}
      <FilterInput {...{ input, filter, onChange, workflows, users }} onNote={setNote} />
      {isEmptyFilter(filter) ? null : (
        <Button look="quiet" isSmall onClick={() => onChange({})}>
          Clear
        </Button>
      )}
      <p
        role="status"
        data-testid="filter-note"
        className={note === null ? "sr-only" : "basis-full px-1 pb-1 text-meta break-words text-danger"}
      >
        {note}
      </p>
    </div>
  );
}

function ChipItem({ chip, onRemove }: { readonly chip: Chip; readonly onRemove: () => void }) {
  return (
    <li
      data-testid="filter-chip"
      className="my-0.5 flex min-h-6 max-w-full items-center rounded-control bg-sunken ps-2 text-table"
    >
      <span className="min-w-0 truncate">{chip.word}</span>
      <button
        type="button"
        aria-label={`Remove the filter ${chip.word}`}
        onClick={onRemove}
        className="grid size-6 shrink-0 place-items-center rounded-control text-text2 hover:text-text"
      >
        <X size={14} strokeWidth={1.75} aria-hidden />
      </button>
    </li>
  );
}

type InputProps = BarProps & {
  readonly input: React.RefObject<HTMLInputElement | null>;
  /** What is to be said about what was typed. */
  readonly onNote: (note: string | null) => void;
};

function FilterInput({ input, filter, onChange, workflows, users, onNote }: InputProps) {
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState(-1);
  const listId = useId();
  const suggestions = isOpen ? suggest(typed, { workflows, users }) : [];
  const write = (text: string): void => {
    setTyped(text);
    setChosen(-1);
    setOpen(true);
    onNote(null);
  };
  const apply = (text: string): void => {
    const { note, left } = notUnderstood(text);
    const next = addWords(filter, text);
    onNote(note);
    if (note === null || JSON.stringify(next) !== JSON.stringify(filter)) onChange(next);
    // What was not understood stays, to be written otherwise.
    setTyped(left);
    setChosen(-1);
    setOpen(false);
  };
  const take = (suggestion: Suggestion): void =>
    suggestion.isWhole ? apply(complete(typed, suggestion)) : write(complete(typed, suggestion));
  const press = (event: KeyboardEvent): void => {
    const last = chipsOf(filter).at(-1);
    const picked = suggestions[chosen];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      setOpen(true);
      const step = event.key === "ArrowDown" ? 1 : -1;
      if (suggestions.length > 0) setChosen((chosen + step + suggestions.length) % suggestions.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (picked === undefined) apply(typed);
      else take(picked);
    } else if (event.key === "Escape") {
      event.stopPropagation();
      if (isOpen) setOpen(false);
      else input.current?.blur();
    } else if (event.key === "Backspace" && typed === "" && last !== undefined) onChange(without(filter, last));
  };
  return (
    <>
      <input
        ref={input}
        role="combobox"
        aria-label="Filter: status:failed, workflow:name, or any text"
        aria-expanded={suggestions.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={chosen < 0 ? undefined : `${listId}-${chosen}`}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        placeholder={isEmptyFilter(filter) ? "Filter: status:failed, workflow:digest, any text" : ""}
        onChange={(event) => write(event.target.value)}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={press}
        className="min-h-7 min-w-24 flex-1 bg-transparent px-1 text-table outline-none"
      />
      <SuggestionList id={listId} suggestions={suggestions} chosen={chosen} onTake={take} />
    </>
  );
}

type ListProps = {
  readonly id: string;
  readonly suggestions: readonly Suggestion[];
  readonly chosen: number;
  readonly onTake: (suggestion: Suggestion) => void;
};

function SuggestionList({ id, suggestions, chosen, onTake }: ListProps) {
  return (
    <ul
      id={id}
      role="listbox"
      aria-label="Suggestions"
      hidden={suggestions.length === 0}
      className="absolute inset-x-0 top-full z-30 mt-1 max-h-72 max-w-md overflow-auto rounded-card border border-border bg-surface p-1 shadow-lg"
    >
      {suggestions.map((suggestion, at) => (
        <li
          key={suggestion.word}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === chosen}
          // Before the field loses the focus, and with it this list.
          onMouseDown={(event) => {
            event.preventDefault();
            onTake(suggestion);
          }}
          className={`flex min-h-8 cursor-pointer items-center gap-3 rounded-control px-2 hover:bg-sunken ${at === chosen ? "bg-sunken" : ""}`}
        >
          <span className="mono shrink-0">{suggestion.word}</span>
          <span className="min-w-0 truncate text-meta text-text2">{suggestion.about}</span>
        </li>
      ))}
    </ul>
  );
}
