// What people have answered lately.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { decidedQuery } from "../../api/decided.ts";
import { Empty, Loaded } from "../../components/page.tsx";
import { StatusPill } from "../../components/status.tsx";
import { Ago } from "../../components/time.tsx";
import { showOutcome, type Decided } from "../../model/inbox.ts";

export function DoneList() {
  const query = useQuery(decidedQuery);
  return (
    <Loaded query={query}>
      {(decided) =>
        decided.length === 0 ? (
          <Empty
            title="Nothing was answered yet"
            docs={{ page: "flow-language", hash: "people", word: "How workflows ask people" }}
          >
            What people decide at gates stands here afterwards.
          </Empty>
        ) : (
          <ul aria-label="What was answered">
            {decided.map((each) => (
              <DoneLine key={`${each.step}-${each.by}-${each.at}`} decided={each} />
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

function DoneLine({ decided }: { readonly decided: Decided }) {
  const { outcome, title, stepName, workflow, run, by, at, comment } = decided;
  const token = outcome === "rejected" ? "cancelled" : "done";
  return (
    <li data-testid="decided" className="flex flex-col gap-1 border-b border-border px-4 py-2">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <StatusPill shown={{ token, word: showOutcome(outcome).toLowerCase() }} />
        <span className="min-w-0 font-medium break-words">{title ?? stepName}</span>
        <span className="ms-auto text-meta text-text2">
          by {by}, <Ago at={at} />
        </span>
      </div>
      <p className="min-w-0 text-meta break-words text-text2">
        <Link to="/runs/$id" params={{ id: String(run) }} search={{ step: stepName }} className="underline">
          {workflow}, {stepName}
        </Link>
        {comment === null ? null : ` · ${comment}`}
      </p>
    </li>
  );
}
