// Short messages at the corner: what was done, for a few seconds; what went wrong, until somebody has read it
// or gone to another page.

import { useRouterState } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useEffect, useState, useSyncExternalStore } from "react";
import { Problem } from "../api/request.ts";
import { Button } from "./button.tsx";

type Toast = {
  readonly id: number;
  readonly text: string;
  readonly hint: string | null;
  readonly isProblem: boolean;
  /** Of the page on which it was told. */
  readonly path: string;
};

const shownMs = 4000;
const shownMax = 4;
let toasts: readonly Toast[] = [];
let count = 0;
const watchers = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const watcher of watchers) watcher();
}

function drop(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

function add(toast: Omit<Toast, "id" | "path">): void {
  count += 1;
  const id = count;
  change([...toasts.slice(1 - shownMax), { ...toast, id, path: location.pathname }]);
}

export function tell(text: string): void {
  add({ text, hint: null, isProblem: false });
}

export function tellProblem(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  add({ text, hint: error instanceof Problem ? error.hint : null, isProblem: true });
}

/** Those that are not to be seen any more: of other pages than this one, or all. */
export function dropProblems(isGone: (path: string) => boolean = () => true): void {
  const left = toasts.filter(({ isProblem, path }) => !(isProblem && isGone(path)));
  if (left.length < toasts.length) change(left);
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** None goes while somebody points at one of them or is in it: they are about to read it. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  const [isHeld, setHeld] = useState(false);
  const page = useRouterState({ select: ({ location: { pathname } }) => pathname });
  useEffect(() => dropProblems((path) => path !== page), [page]);
  /** With it goes the pointer or the focus that held the others. */
  const close = (id: number): void => {
    setHeld(false);
    drop(id);
  };
  return (
    <div
      role="status"
      aria-live="polite"
      aria-label="Messages"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="pointer-events-none fixed right-4 bottom-16 z-50 flex max-w-[calc(100vw-2rem)] flex-col gap-2 md:bottom-4"
    >
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} isHeld={isHeld} onClose={() => close(toast.id)} />
      ))}
    </div>
  );
}

type CardProps = { readonly toast: Toast; readonly isHeld: boolean; readonly onClose: () => void };

function ToastCard({ toast: { id, text, hint, isProblem }, isHeld, onClose }: CardProps) {
  useEffect(() => {
    if (isProblem || isHeld) return undefined;
    const timer = setTimeout(() => drop(id), shownMs);
    return () => clearTimeout(timer);
  }, [id, isProblem, isHeld]);
  return (
    <div
      data-testid="toast"
      data-problem={isProblem}
      className={`pointer-events-auto flex max-w-md items-start gap-2 rounded-card border p-3 shadow-lg ${isProblem ? "border-strong bg-danger-tint text-danger" : "border-strong bg-surface text-text"}`}
    >
      <div className="min-w-0 flex-1">
        <p className="break-words">{text}</p>
        {hint === null ? null : <p className="text-meta break-words text-text">{hint}</p>}
      </div>
      <Button look="quiet" isSmall icon={X} aria-label="Close this message" onClick={onClose} className="-my-1" />
    </div>
  );
}
