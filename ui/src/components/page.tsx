// What every page has: one heading, a title of its own, and words for when there is nothing, or something went wrong.

import { Link } from "@tanstack/react-router";
import { Check, CircleAlert, Copy } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { Problem } from "../api/request.ts";
import { Button } from "./button.tsx";
import { useSayHere } from "./here.ts";
import { tellProblem, tell } from "./toasts.tsx";

/** `digest - failed - Runs - Stepwell` */
export function useTitle(...parts: readonly string[]): void {
  const title = [...parts, "Stepwell"].join(" - ");
  useEffect(() => {
    document.title = title;
  }, [title]);
}

type PageProps = {
  /** For tests and styles. */
  readonly page: string;
  readonly title: string;
  /** In the tab; the heading unless given. */
  readonly titles?: readonly string[];
  /** In the breadcrumb; the heading unless given. */
  readonly crumb?: string;
  /** Beside the heading. */
  readonly beside?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** It fills the window, and its parts scroll by themselves. */
  readonly isFull?: boolean;
};

export function Page({ page, title, titles, crumb, beside, actions, children, isFull = false }: PageProps) {
  useTitle(...(titles ?? [title]));
  useSayHere(crumb ?? title);
  return (
    <main
      id="main"
      tabIndex={-1}
      data-page={page}
      className={`flex min-w-0 flex-1 flex-col outline-none ${isFull ? "min-h-0" : ""}`}
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-border bg-surface px-4 py-3 md:px-5">
        <h1 className="min-w-0 truncate" title={title}>
          {title}
        </h1>
        {beside}
        <div className="ms-auto flex flex-wrap items-center gap-2">{actions}</div>
      </header>
      {isFull ? children : <div className="flex min-w-0 flex-col gap-4 p-4 md:p-5">{children}</div>}
    </main>
  );
}

export function Card({
  title,
  actions,
  children,
  className = "",
}: {
  readonly title?: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
}) {
  return (
    <section className={`min-w-0 rounded-card border border-border bg-surface ${className}`} aria-label={title}>
      {title === undefined ? null : (
        <header className="flex min-h-11 items-center gap-2 border-b border-border px-4 py-1.5">
          <h2 className="min-w-0 truncate">{title}</h2>
          <div className="ms-auto flex items-center gap-2">{actions}</div>
        </header>
      )}
      {children}
    </section>
  );
}

/** A page of the documentation, and a place in it. */
export type DocsPlace = { readonly page: string; readonly hash?: string; readonly word: string };

export function Empty({
  title,
  children,
  action,
  docs,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  readonly docs?: DocsPlace;
}) {
  return (
    <div data-testid="empty" className="flex flex-col items-center gap-3 px-4 py-12 text-center">
      <p className="text-body font-medium">{title}</p>
      {children === undefined ? null : <p className="max-w-prose text-text2">{children}</p>}
      {action}
      {docs === undefined ? null : <DocsLink {...docs} />}
    </div>
  );
}

function DocsLink({ page, hash, word }: DocsPlace) {
  return (
    <Link
      to="/docs/$name"
      params={{ name: page }}
      {...(hash === undefined ? {} : { hash })}
      className="text-meta text-accent underline"
    >
      {word}
    </Link>
  );
}

/** What went wrong, in words, and what to do. */
export function Failed({ error, again }: { readonly error: Error; readonly again?: () => void }) {
  const problem = error instanceof Problem ? error : null;
  return (
    <div
      role="alert"
      data-testid="failed"
      className="m-4 flex flex-col items-start gap-2 rounded-card border border-border bg-danger-tint p-4 text-danger"
    >
      <p className="flex items-center gap-2 font-medium">
        <CircleAlert size={16} strokeWidth={1.75} aria-hidden /> {error.message}
      </p>
      {problem?.hint === null || problem === null ? null : <p className="text-text">{problem.hint}</p>}
      {(problem?.requestId ?? null) === null ? null : (
        <p className="text-meta text-text">
          Request <code className="break-all">{problem?.requestId}</code>
        </p>
      )}
      <div className="flex gap-2">
        {again === undefined ? null : (
          <Button isSmall onClick={again}>
            Try again
          </Button>
        )}
        <CopyButton
          isSmall
          text={JSON.stringify(
            {
              code: problem?.code,
              message: error.message,
              details: problem?.details,
              request_id: problem?.requestId ?? undefined,
              page: location.pathname,
              at: new Date().toISOString(),
            },
            null,
            2,
          )}
        >
          Copy details
        </CopyButton>
      </div>
    </div>
  );
}

/** Of the size of what is to come; shown only when that takes long. */
export function Skeleton({ lines = 6, height = 36 }: { readonly lines?: number; readonly height?: number }) {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-2 p-4">
      {Array.from({ length: lines }, (_none, at) => (
        <div key={at} className="skeleton" style={{ height }} />
      ))}
    </div>
  );
}

/** Shows what was read, or that it is being read, or why it cannot be. */
export function Loaded<Value>({
  query,
  children,
  skeleton,
}: {
  readonly query: { readonly data: Value | undefined; readonly error: Error | null; readonly refetch: () => unknown };
  readonly children: (value: Value) => ReactNode;
  readonly skeleton?: ReactNode;
}) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error !== null) return <Failed error={query.error} again={() => void query.refetch()} />;
  return <>{skeleton ?? <Skeleton />}</>;
}

export function CopyButton({
  text,
  children,
  label,
  isSmall = false,
}: {
  readonly text: string;
  readonly children?: ReactNode;
  readonly label?: string;
  readonly isSmall?: boolean;
}) {
  const [isDone, setDone] = useState(false);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
      tell("Copied.");
      setTimeout(() => setDone(false), 1500);
    } catch (error) {
      tellProblem(error);
    }
  };
  return (
    <Button
      look="quiet"
      isSmall={isSmall}
      icon={isDone ? Check : Copy}
      aria-label={children === undefined ? (label ?? "Copy") : undefined}
      onClick={() => void copy()}
    >
      {children}
    </Button>
  );
}
