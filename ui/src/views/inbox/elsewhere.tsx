// The same answer from another place: for who has a terminal or an assistant at hand, and for who writes a script.

import { useQuery } from "@tanstack/react-query";
import { meQuery } from "../../api/queries.ts";
import { CopyButton } from "../../components/page.tsx";
import { answerCall, answerCommand } from "../../model/command.ts";
import type { InboxItem } from "../../model/run.ts";

export function Elsewhere({ item: { gate, run, step } }: { readonly item: InboxItem }) {
  const { data: me } = useQuery(meQuery);
  const [first] = gate?.choices ?? [];
  if (gate === null || run === null || step === null || first === undefined) return null;
  const asked = { run, step, outcome: first.outcome, hasForm: gate.form !== null };
  return (
    <details data-testid="elsewhere">
      <summary className="min-h-6 text-text2">{first.label} from elsewhere</summary>
      <dl className="mt-2 flex flex-col gap-3">
        <Way label={`${first.label} by command line`} text={answerCommand(asked, me?.program)} />
        <Way label={`${first.label} by MCP`} text={answerCall(asked)} />
      </dl>
      {asked.hasForm ? <p className="mt-2 text-meta text-text2">What the form asks for goes into the braces.</p> : null}
    </details>
  );
}

function Way({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <dt className="text-meta text-text2">{label}</dt>
      <dd className="flex min-w-0 items-start gap-2">
        <code className="min-w-0 flex-1 rounded-control bg-sunken p-2 break-all whitespace-pre-wrap">{text}</code>
        <CopyButton text={text} label={`Copy: ${label}`} />
      </dd>
    </div>
  );
}
