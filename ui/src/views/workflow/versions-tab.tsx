// Every version: who, when, why; what differs between any two; and the way back to an older one.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useRefused } from "../../api/rights.ts";
import { restoreVersion, versionsQuery } from "../../api/versions.ts";
import { workflowQuery } from "../../api/workflows.ts";
import { Button } from "../../components/button.tsx";
import { Diff } from "../../components/diff.tsx";
import { Confirm } from "../../components/dialog.tsx";
import { Select } from "../../components/field.tsx";
import { Card, Loaded } from "../../components/page.tsx";
import { Ago } from "../../components/time.tsx";
import { tell } from "../../components/toasts.tsx";
import { textOf, type Version, type WholeWorkflow } from "../../model/workflow.ts";
import { comparedIn } from "./compared.ts";

const route = getRouteApi("/library/$name");

type TabProps = { readonly workflow: WholeWorkflow };

export function VersionsTab({ workflow: { name, newestVersion, deletedAt } }: TabProps) {
  const query = useQuery(versionsQuery(name));
  const { version } = route.useSearch();
  const navigate = route.useNavigate();
  const compared = comparedIn(version, newestVersion);
  const compare = (from: number, to: number): void =>
    void navigate({ search: (old) => ({ ...old, version: `${from}-${to}` }), replace: true });
  return (
    <Loaded query={query}>
      {(versions) => (
        <div className="flex flex-col gap-4 p-4 md:p-5">
          <VersionList
            name={name}
            versions={versions}
            newest={newestVersion}
            isDeleted={deletedAt !== null}
            onCompare={compare}
          />
          {versions.length < 2 ? null : (
            <Card
              title="What differs"
              actions={
                <>
                  <VersionSelect
                    label="Before"
                    versions={versions}
                    value={compared.from}
                    onChange={(from) => compare(from, compared.to)}
                  />
                  <VersionSelect
                    label="After"
                    versions={versions}
                    value={compared.to}
                    onChange={(to) => compare(compared.from, to)}
                  />
                </>
              }
            >
              <Difference name={name} {...compared} />
            </Card>
          )}
        </div>
      )}
    </Loaded>
  );
}

type SelectProps = {
  readonly label: string;
  readonly versions: readonly Version[];
  readonly value: number;
  readonly onChange: (version: number) => void;
};

function VersionSelect({ label, versions, value, onChange }: SelectProps) {
  return (
    <Select
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(Number(target.value))}
      className="w-auto"
    >
      {versions.map(({ version }) => (
        <option key={version} value={version}>
          Version {version}
        </option>
      ))}
    </Select>
  );
}

function Difference({ name, from, to }: { readonly name: string; readonly from: number; readonly to: number }) {
  const before = useQuery(workflowQuery(`${name}@${from}`));
  const after = useQuery(workflowQuery(`${name}@${to}`));
  return (
    <Loaded query={before}>
      {(one) => (
        <Loaded query={after}>
          {(other) => (
            <Diff
              before={textOf(one)}
              after={textOf(other)}
              beforeName={`version ${from}`}
              afterName={`version ${to}`}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

type VersionListProps = {
  readonly name: string;
  readonly versions: readonly Version[];
  readonly newest: number;
  readonly isDeleted: boolean;
  readonly onCompare: (from: number, to: number) => void;
};

function VersionList({ name, versions, newest, isDeleted, onCompare }: VersionListProps) {
  const [restored, setRestored] = useState<number | null>(null);
  const refused = useRefused("save");
  const client = useQueryClient();
  const restore = async (): Promise<void> => {
    await restoreVersion(name, restored ?? 0);
    tell(`Version ${restored ?? 0} is current again, as a new version.`);
    await Promise.all([
      client.invalidateQueries({ queryKey: ["workflow", name] }),
      client.invalidateQueries({ queryKey: ["workflows"] }),
    ]);
  };
  return (
    <>
      <ol className="rounded-card border border-border bg-surface" aria-label={`Versions of ${name}`} reversed>
        {versions.map((each) => (
          <li
            key={each.version}
            data-testid="version-row"
            className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-b border-border px-4 py-1 last:border-b-0"
          >
            <span className="w-24 font-medium">Version {each.version}</span>
            <span className="min-w-0 flex-1 break-words text-text2 max-sm:basis-full">
              {each.note ?? (each.version === 1 ? "The first" : "")}
            </span>
            <span className="text-meta text-text2">
              {each.createdBy} · <Ago at={each.createdAt} />
            </span>
            {each.version === 1 ? null : (
              <Button
                look="quiet"
                isSmall
                onClick={() => onCompare(each.version - 1, each.version)}
                aria-label={`What is new in version ${each.version}`}
              >
                What is new
              </Button>
            )}
            {each.version === newest && !isDeleted ? (
              <span className="w-16 text-center text-meta text-text2">current</span>
            ) : (
              <Button
                isSmall
                disabled={refused !== undefined}
                title={refused}
                onClick={() => setRestored(each.version)}
                aria-label={`Restore version ${each.version}`}
              >
                Restore
              </Button>
            )}
          </li>
        ))}
      </ol>
      <Confirm
        title={`Restore version ${restored ?? ""} of ${name}?`}
        verb="Restore it"
        isOpen={restored !== null}
        onClose={() => setRestored(null)}
        act={restore}
      >
        <p>
          It becomes version {newest + 1}. Runs under way keep the version with which they began, and no version is
          lost.
        </p>
      </Confirm>
    </>
  );
}
