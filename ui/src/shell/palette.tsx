// Search and do: pages, workflows, runs by their id, and the verbs that one wants from everywhere.

import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import { BookOpen } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { useState, type ReactNode } from "react";
import { findRuns } from "../api/runs.ts";
import { workflowsQuery } from "../api/workflows.ts";
import { prefer, useIsDark } from "../preferences.ts";
import { places } from "./navigation.ts";
import { useStart } from "./use-start.ts";

/** Closes the palette, then does it. */
type Doing = (act: () => unknown) => () => void;

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState("");
  const go: Doing = (act) => () => {
    onClose();
    act();
  };
  return (
    <Radix.Root open onOpenChange={onClose}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.45)]" />
        <Radix.Content
          aria-describedby={undefined}
          data-testid="palette"
          className="fixed inset-x-2 top-[10vh] z-40 mx-auto max-w-xl overflow-hidden rounded-card border border-border bg-surface shadow-xl"
        >
          <Radix.Title className="sr-only">Search and do</Radix.Title>
          <Command label="Search and do" shouldFilter>
            <Command.Input
              value={text}
              onValueChange={setText}
              placeholder="A page, a workflow, a run's id, or what to do"
              className="min-h-12 w-full border-b border-border bg-surface px-4 text-text outline-none"
            />
            <Command.List className="max-h-[50vh] overflow-y-auto p-2">
              <Command.Empty className="px-3 py-6 text-center text-text2">Nothing is called so.</Command.Empty>
              <FoundRuns text={text.trim()} go={go} />
              <Places go={go} />
              <Verbs go={go} />
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

type EntryProps = { readonly value: string; readonly onSelect: () => void; readonly children: ReactNode };

function Entry({ value, onSelect, children }: EntryProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-9 items-center gap-2 rounded-control px-3 text-body text-text data-[selected=true]:bg-sunken"
    >
      {children}
    </Command.Item>
  );
}

/** What may be an id: of digits, or a uid, or the beginning of one. */
function mayBeId(text: string): boolean {
  return /^[\w-]{4,40}$/.test(text) && /\d/.test(text);
}

function FoundRuns({ text, go }: { readonly text: string; readonly go: Doing }) {
  const navigate = useNavigate();
  const found = useQuery({
    queryKey: ["find", text],
    queryFn: () => findRuns(text),
    enabled: mayBeId(text),
    retry: false,
  });
  const open = (run: number, step: number | null): Promise<void> =>
    navigate({ to: "/runs/$id", params: { id: String(run) }, search: step === null ? {} : { row: String(step) } });
  return (found.data ?? []).map(({ run, step }) => (
    <Entry key={`${run}/${step ?? ""}`} value={`run ${text} ${run}`} onSelect={go(() => open(run, step))}>
      Open run <span className="mono">{run}</span>
    </Entry>
  ));
}

function Places({ go }: { readonly go: Doing }) {
  const navigate = useNavigate();
  return (
    <Command.Group heading="Go to" className="text-meta text-text2">
      {places.map(({ to, label, icon: Icon }) => (
        <Entry key={to} value={`go to ${label}`} onSelect={go(() => navigate({ to }))}>
          <Icon size={16} strokeWidth={1.75} aria-hidden /> {label}
        </Entry>
      ))}
      <Entry value="go to Documentation" onSelect={go(() => navigate({ to: "/docs" }))}>
        <BookOpen size={16} strokeWidth={1.75} aria-hidden /> Documentation
      </Entry>
    </Command.Group>
  );
}

function Verbs({ go }: { readonly go: Doing }) {
  const navigate = useNavigate();
  const start = useStart();
  const isDark = useIsDark();
  const { data: workflows = [] } = useQuery(workflowsQuery);
  return (
    <Command.Group heading="Do" className="text-meta text-text2">
      {workflows
        .filter((loaded) => loaded.isEnabled)
        .map(({ name }) => (
          <Entry key={`run ${name}`} value={`run ${name}`} onSelect={go(() => start(name))}>
            Run {name}
          </Entry>
        ))}
      {workflows.map(({ name }) => (
        <Entry
          key={`open ${name}`}
          value={`open workflow ${name}`}
          onSelect={go(() => navigate({ to: "/library/$name", params: { name } }))}
        >
          Open workflow {name}
        </Entry>
      ))}
      <Entry value="new workflow" onSelect={go(() => navigate({ to: "/new" }))}>
        New workflow
      </Entry>
      <Entry value="toggle theme" onSelect={go(() => prefer("theme", isDark ? "light" : "dark"))}>
        Toggle theme
      </Entry>
    </Command.Group>
  );
}
