// Search and do: pages, workflows, runs by their id, and the verbs that one wants from everywhere.

import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import { Dialog as Radix } from "radix-ui";
import { useState } from "react";
import { findRuns } from "../api/runs.ts";
import { workflowsQuery } from "../api/workflows.ts";
import { prefer, useIsDark } from "../preferences.ts";
import { places } from "./navigation.ts";
import { useStart } from "./shell.tsx";

const itemLook = "flex min-h-9 items-center gap-2 rounded-control px-3 data-[selected=true]:bg-sunken";

/** What may be an id: of digits, or a uid, or the beginning of one. */
function mayBeId(text: string): boolean {
  return /^[\w-]{4,40}$/.test(text) && /\d/.test(text);
}

export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState("");
  const navigate = useNavigate();
  const start = useStart();
  const isDark = useIsDark();
  const workflows = useQuery(workflowsQuery);
  const wanted = text.trim();
  const found = useQuery({
    queryKey: ["find", wanted],
    queryFn: () => findRuns(wanted),
    enabled: mayBeId(wanted),
    retry: false,
  });
  const go = (act: () => unknown) => () => {
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
              {(found.data ?? []).map(({ run, step }) => (
                <Command.Item
                  key={`${run}/${step ?? ""}`}
                  value={`run ${wanted} ${run}`}
                  className={itemLook}
                  onSelect={go(() =>
                    navigate({
                      to: "/runs/$id",
                      params: { id: String(run) },
                      search: step === null ? {} : { row: String(step) },
                    }),
                  )}
                >
                  Open run <span className="mono">{run}</span>
                </Command.Item>
              ))}
              <Command.Group heading="Go to" className="text-meta text-text2">
                {places.map(({ to, label, icon: Icon }) => (
                  <Command.Item
                    key={to}
                    value={`go to ${label}`}
                    className={`${itemLook} text-body text-text`}
                    onSelect={go(() => navigate({ to }))}
                  >
                    <Icon size={16} strokeWidth={1.75} aria-hidden /> {label}
                  </Command.Item>
                ))}
              </Command.Group>
              <Command.Group heading="Do" className="text-meta text-text2">
                {(workflows.data ?? []).map(({ name, isEnabled }) =>
                  isEnabled ? (
                    <Command.Item
                      key={name}
                      value={`run ${name}`}
                      className={`${itemLook} text-body text-text`}
                      onSelect={go(() => start(name))}
                    >
                      Run {name}
                    </Command.Item>
                  ) : null,
                )}
                {(workflows.data ?? []).map(({ name }) => (
                  <Command.Item
                    key={name}
                    value={`open workflow ${name}`}
                    className={`${itemLook} text-body text-text`}
                    onSelect={go(() => navigate({ to: "/library/$name", params: { name } }))}
                  >
                    Open workflow {name}
                  </Command.Item>
                ))}
                <Command.Item
                  value="new workflow"
                  className={`${itemLook} text-body text-text`}
                  onSelect={go(() => navigate({ to: "/new" }))}
                >
                  New workflow
                </Command.Item>
                <Command.Item
                  value="toggle theme"
                  className={`${itemLook} text-body text-text`}
                  onSelect={go(() => prefer("theme", isDark ? "light" : "dark"))}
                >
                  Toggle theme
                </Command.Item>
              </Command.Group>
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
