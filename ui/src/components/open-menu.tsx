// A menu that somebody has wanted: loaded then, and open at once.

import { DropdownMenu as Radix } from "radix-ui";
import { useCallback, useState } from "react";
import type { MenuProps } from "./menu-entry.ts";

export function OpenMenu({ trigger, entries }: MenuProps) {
  // It stands in the part of the page to which its trigger belongs, for those who go through a page part by part.
  const [part, setPart] = useState<HTMLElement | null>(null);
  const find = useCallback((found: HTMLElement | null) => {
    if (found !== null) setPart(found.closest<HTMLElement>("main, nav, [role=dialog]") ?? found.closest("header"));
  }, []);
  return (
    <Radix.Root modal={false} defaultOpen>
      <Radix.Trigger asChild ref={find}>
        {trigger}
      </Radix.Trigger>
      <Radix.Portal container={part}>
        <Radix.Content
          align="end"
          sideOffset={4}
          className="z-50 max-w-[90vw] min-w-52 rounded-card border border-border bg-surface p-1 shadow-lg"
        >
          {entries.map(({ label, icon: Icon, act, isDanger = false, refused }) => (
            <Radix.Item
              key={label}
              disabled={refused !== undefined}
              onSelect={act}
              className={`flex min-h-8 items-center gap-2 rounded-control px-2 outline-none select-none data-[highlighted]:bg-sunken ${refused === undefined ? "" : "text-text3"} ${isDanger ? "text-danger" : ""}`}
            >
              {Icon === undefined ? <span className="w-4" /> : <Icon size={16} strokeWidth={1.75} aria-hidden />}
              <span className="min-w-0">
                {label}
                {refused === undefined ? null : <span className="block text-meta">{refused}</span>}
              </span>
            </Radix.Item>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
