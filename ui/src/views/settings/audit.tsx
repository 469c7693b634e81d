import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useDeferredValue } from "react";
import { auditQuery, type AuditEntry } from "../../api/access.ts";
import { Button } from "../../components/button.tsx";
import { Field, Input } from "../../components/field.tsx";
import { Card, Empty, Loaded } from "../../components/page.tsx";
import { saveFile } from "../../components/save-file.ts";
import { Table } from "../../components/table.tsx";
import { Ago } from "../../components/time.tsx";
import { showDetails } from "../../model/audit.ts";
import { toCsv } from "../../model/table-file.ts";

export function Audit() {
  const { user = "", verb = "" } = useSearch({ from: "/settings" });
  const navigate = useNavigate({ from: "/settings" });
  const look = (wish: { readonly user?: string; readonly verb?: string }): void =>
    void navigate({ search: (old) => ({ ...old, ...wish }), replace: true });
  const asked = useDeferredValue({ ...(user === "" ? {} : { user }), ...(verb === "" ? {} : { verb }) });
  const audit = useInfiniteQuery(auditQuery(asked));
  const entries = audit.data?.pages.flatMap((page) => page.entries) ?? [];
  const save = (
    <Button
      isSmall
      disabled={entries.length === 0}
      onClick={() => saveFile("audit.csv", "text/csv", toCsv(toLines(entries)))}
    >
      Save as CSV
    </Button>
  );
  return (
    <div className="p-4 md:p-5">
      <Card title="Audit" actions={save}>
        <div className="flex flex-wrap gap-3 p-4 pb-2">
          <Filter label="User" value={user} onChange={(text) => look({ user: text })} />
          <Filter label="Verb" value={verb} onChange={(text) => look({ verb: text })} />
        </div>
        <Loaded query={audit}>{() => <AuditTable entries={entries} />}</Loaded>
        {audit.hasNextPage ? (
          <div className="p-4">
            <Button isBusy={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
              Older ones
            </Button>
          </div>
        ) : null}
      </Card>
    </div>
  );
}

type FilterProps = { readonly label: string; readonly value: string; readonly onChange: (value: string) => void };

function Filter({ label, value, onChange }: FilterProps) {
  return (
    <div className="w-44">
      <Field label={label}>
        {(given) => <Input {...given} value={value} onChange={({ target }) => onChange(target.value)} />}
      </Field>
    </div>
  );
}

function AuditTable({ entries }: { readonly entries: readonly AuditEntry[] }) {
  if (entries.length === 0)
    return <Empty title="Nothing like this was written down." docs={{ page: "audit", word: "What is written down" }} />;
  return (
    <Table
      label="Entries"
      testId="audit-row"
      rows={entries}
      keyOf={({ no }) => no}
      columns={[
        { name: "When", onCard: "corner", cell: ({ at }) => <Ago at={at} /> },
        { name: "Who", cell: ({ user }) => user },
        { name: "From", cell: ({ source }) => source },
        { name: "What", onCard: "title", cell: ({ verb }) => <code>{verb}</code> },
        {
          name: "Of",
          cell: ({ subject }) => (subject === null ? null : <span className="break-all">{subject}</span>),
        },
        { name: "Details", cell: ({ details }) => showDetails(details) },
      ]}
    />
  );
}

function toLines(entries: readonly AuditEntry[]): readonly (readonly string[])[] {
  const lines = entries.map(({ no, at, user, source, verb, subject, details }) => {
    return [String(no), new Date(at).toISOString(), user, source, verb, subject ?? "", JSON.stringify(details)];
  });
  return [["no", "at", "user", "source", "verb", "subject", "details"], ...lines];
}
