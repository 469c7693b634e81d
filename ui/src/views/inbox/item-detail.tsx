// One thing that waits, with all that is needed to decide about it.

import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { MarkdownText } from "../../components/markdown.tsx";
import { StatusPill } from "../../components/status.tsx";
import { Ago, Countdown } from "../../components/time.tsx";
import { showKind } from "../../model/inbox.ts";
import type { InboxItem } from "../../model/run.ts";
import { Deciding, type DecidingProps } from "./deciding.tsx";
import { Elsewhere } from "./elsewhere.tsx";
import { ItemFacts } from "./item-facts.tsx";

export function ItemDetail(props: DecidingProps) {
  const { item, isFollowing } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  // Whoever reads with the ears hears which one it is now; and no key goes on pressing what was pressed before.
  useEffect(() => {
    if (isFollowing) heading.current?.focus();
  }, [isFollowing]);
  return (
    <article
      aria-labelledby="inbox-item-title"
      data-testid="inbox-detail"
      className="mx-auto flex w-full max-w-3xl min-w-0 flex-col gap-4 p-4 md:p-6"
    >
      <Link to="/inbox" className="flex min-h-8 items-center gap-1.5 self-start text-text2 hover:text-text lg:hidden">
        <ArrowLeft size={16} strokeWidth={1.75} aria-hidden /> All that waits
      </Link>
      <header className="flex flex-col gap-2">
        <h2 ref={heading} tabIndex={-1} id="inbox-item-title" className="text-title font-semibold break-words">
          {item.title}
        </h2>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <StatusPill shown={showKind(item.kind)} />
          <Facts item={item} />
        </div>
      </header>
      {item.message === null || item.kind === "changed_tool" ? null : <Message item={item} />}
      <ItemFacts item={item} />
      <Deciding {...props} />
      <Elsewhere item={item} />
    </article>
  );
}

/** What the author of a gate wrote may be Markdown; the sentences of the engine are sentences. */
function Message({ item: { kind, message } }: { readonly item: InboxItem }) {
  return (
    <div className="rounded-card bg-sunken p-3">
      {kind === "gate" ? (
        <MarkdownText text={message ?? ""} />
      ) : (
        <p className="break-words whitespace-pre-wrap">{message}</p>
      )}
    </div>
  );
}

function Facts({ item }: { readonly item: InboxItem }) {
  const { run, workflow, step, stepName, createdBy, gate } = item;
  return (
    <dl className="flex flex-wrap items-center gap-x-5 gap-y-1 text-table text-text2">
      {run === null ? null : (
        <Fact label="Workflow">
          <Link to="/runs/$id" params={{ id: String(run) }} className="text-text underline">
            {workflow}
          </Link>
        </Fact>
      )}
      {run === null || step === null ? null : (
        <Fact label="Step">
          <Link
            to="/runs/$id"
            params={{ id: String(run) }}
            search={stepName === null ? {} : { step: stepName }}
            className="text-text underline"
          >
            {stepName}
          </Link>
        </Fact>
      )}
      {createdBy === null ? null : <Fact label="Asked by">{createdBy}</Fact>}
      <Fact label="Since">
        <Ago at={item.since} />
      </Fact>
      {gate?.expiresAt === null || gate === null ? null : (
        <Fact label="Expires">
          <Countdown to={gate.expiresAt} />
        </Fact>
      )}
      {gate?.escalatesAt === null || gate === null ? null : (
        <Fact label="Escalates">
          <Countdown to={gate.escalatesAt} />
        </Fact>
      )}
    </dl>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 items-baseline gap-1.5">
      <dt className="shrink-0 text-text3">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}
