import { Tabs as Radix } from "radix-ui";
import { useLayoutEffect, useRef, type ReactNode } from "react";

export type Tab = {
  readonly id: string;
  readonly label: string;
  readonly count?: number;
  readonly content: () => ReactNode;
};

type TabsProps = {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly isFull?: boolean;
};

/** Only what is looked at is drawn. */
export function Tabs({ label, tabs, value, onChange, isFull = false }: TabsProps) {
  const chosen = tabs.some(({ id }) => id === value) ? value : (tabs[0]?.id ?? "");
  const list = useRef<HTMLDivElement>(null);
  // Others may come before it when it is known what somebody may see.
  useLayoutEffect(() => showChosen(list.current), [chosen, tabs.length]);
  // The list scrolls, and cuts off what lies outside of it: the ring of the focus stands inside of a tab.
  return (
    <Radix.Root
      value={chosen}
      onValueChange={onChange}
      className={`flex min-w-0 flex-col ${isFull ? "min-h-0 flex-1" : ""}`}
    >
      <Radix.List
        ref={list}
        aria-label={label}
        className="flex shrink-0 gap-1 overflow-x-auto border-b border-border px-3"
      >
        {tabs.map(({ id, label: name, count }) => (
          <Radix.Trigger
            key={id}
            value={id}
            className="-mb-px min-h-9 border-b-2 outline-offset-[-2px] border-transparent px-2 whitespace-nowrap text-text2 hover:text-text data-[state=active]:border-accent data-[state=active]:text-text"
          >
            {name}
            {count === undefined ? null : (
              <span className="ms-1.5 rounded-full bg-sunken px-1.5 text-meta">{count}</span>
            )}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ id, content }) => (
        <Radix.Content
          key={id}
          value={id}
          className={`min-w-0 ${isFull ? "flex min-h-0 flex-1 flex-col overflow-auto data-[state=inactive]:hidden" : ""}`}
        >
          {id === chosen ? content() : null}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}

/** The list alone is scrolled, sideways: the page stays where somebody reads. */
function showChosen(list: HTMLDivElement | null): void {
  const tab = list?.querySelector('[role="tab"][data-state="active"]');
  if (list === null || tab === null || tab === undefined) return;
  const [around, within] = [list.getBoundingClientRect(), tab.getBoundingClientRect()];
  if (within.left < around.left) list.scrollLeft -= Math.ceil(around.left - within.left);
  else if (within.right > around.right) list.scrollLeft += Math.ceil(within.right - around.right);
}
