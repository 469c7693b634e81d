// Tools: the servers that bring them, what they take, how they went, and a place to try them.

import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useRefused } from "../api/rights.ts";
import { useCommand } from "../api/use-command.ts";
import { breakersQuery, changesQuery, serversQuery, toolFiguresQuery, toolsQuery } from "../api/tools.ts";
import { Button } from "../components/button.tsx";
import { Field, Input } from "../components/field.tsx";
import { Card, Empty, Loaded, Page } from "../components/page.tsx";
import { StatusPill } from "../components/status.tsx";
import { Table } from "../components/table.tsx";
import { filterTools, showBreaker, type Breaker, type Tool } from "../model/tool.ts";
import { showClockTime } from "../model/time.ts";
import { rowLink, useRowKeys } from "../shell/row-keys.ts";
import { AddServer } from "./tools/add-server.tsx";
import { Changes } from "./tools/changes.tsx";
import { ServerCard } from "./tools/server-card.tsx";
import { ToolDialog } from "./tools/tool-dialog.tsx";
import { useFreshTools } from "./tools/use-fresh-tools.ts";

export function Tools() {
  const changes = useQuery(changesQuery);
  const search = useSearch({ from: "/tools" });
  const navigate = useNavigate({ from: "/tools" });
  const refused = useRefused("admin");
  const openWith = (add: string | undefined): void =>
    void navigate({ search: (old) => ({ ...old, add }), replace: search.add !== undefined });
  return (
    <Page page="tools" title="Tools" actions={<AddButton onOpen={() => openWith("program")} />}>
      {search.add === undefined || refused === undefined ? null : (
        <p role="alert" data-token="waiting" data-testid="no-adding" className="status rounded-card px-3 py-2">
          A server cannot be added by you: {refused}
        </p>
      )}
      <Changes changes={changes.data ?? []} />
      <Servers onAdd={() => openWith("program")} />
      <ToolList />
      {search.add === undefined || refused !== undefined ? null : (
        <AddServer way={search.add} onWay={openWith} onClose={() => openWith(undefined)} />
      )}
    </Page>
  );
}

function AddButton({ onOpen }: { readonly onOpen: () => void }) {
  const refused = useRefused("admin");
  return (
    <Button icon={Plus} disabled={refused !== undefined} title={refused} onClick={onOpen}>
      Add server
    </Button>
  );
}

function Servers({ onAdd }: { readonly onAdd: () => void }) {
  const servers = useQuery(serversQuery);
  useFreshTools(servers.data);
  const command = useCommand();
  return (
    <section aria-label="Servers" className="flex flex-col gap-3">
      <h2>Servers</h2>
      <Loaded query={servers}>
        {(found) =>
          found.length === 0 ? (
            <Card>
              <Empty
                title="No server brings tools yet."
                docs={{ page: "mcp", hash: "servers-as-tools", word: "Servers as tools" }}
                action={<AddButton onOpen={onAdd} />}
              >
                Add one here: a program, an address, or what stands in the mcp.json of another program. Or name such a
                file where the engine is started: {command("up --mcp mcp.json")}.
              </Empty>
            </Card>
          ) : (
            <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(20rem,100%),1fr))] gap-3">
              {found.map((server) => (
                <li key={server.key}>
                  <ServerCard server={server} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
}

function ToolList() {
  const tools = useQuery(toolsQuery);
  const search = useSearch({ from: "/tools" });
  const navigate = useNavigate({ from: "/tools" });
  useRowKeys();
  const chosen = tools.data?.find(({ name }) => name === search.tool);
  return (
    <Card title={`Tools${tools.data === undefined ? "" : ` (${tools.data.length})`}`}>
      <div className="max-w-sm px-4 pt-3">
        <Field label="Filter">
          {(given) => (
            <Input
              {...given}
              type="search"
              placeholder="Words of a name or description"
              value={search.text ?? ""}
              onChange={({ target }) =>
                void navigate({ search: (old) => ({ ...old, text: target.value }), replace: true })
              }
            />
          )}
        </Field>
      </div>
      {search.tool === undefined || tools.data === undefined || chosen !== undefined ? null : (
        <p role="alert" data-token="waiting" data-testid="no-tool" className="status mx-4 mt-3 rounded-card px-3 py-2">
          There is no tool <span className="mono break-all">{search.tool}</span>. Its server may be gone, or it is
          called otherwise now.{" "}
          <button
            type="button"
            className="underline"
            onClick={() => void navigate({ search: (old) => ({ ...old, tool: undefined }) })}
          >
            Show all tools
          </button>
        </p>
      )}
      <Loaded query={tools}>
        {(all) => (
          <ToolTable
            tools={filterTools(all, search.text ?? "")}
            onChoose={(tool) => void navigate({ search: (old) => ({ ...old, tool }) })}
          />
        )}
      </Loaded>
      {chosen === undefined ? null : (
        <ToolDialog
          key={chosen.name}
          tool={chosen}
          onClose={() => void navigate({ search: (old) => ({ ...old, tool: undefined }) })}
        />
      )}
    </Card>
  );
}

/** Below, names of tools and what they do would leave no room for how they went. */
const tableFrom = 1150;

function ToolTable({
  tools,
  onChoose,
}: {
  readonly tools: readonly Tool[];
  readonly onChoose: (name: string) => void;
}) {
  const { data: figures } = useQuery(toolFiguresQuery);
  const { data: breakers } = useQuery(breakersQuery);
  if (tools.length === 0) return <Empty title="No tool is called so." />;
  const failed = ({ name }: Tool): string => {
    const used = figures?.get(name);
    return used === undefined || used.total === 0 ? "" : `${Math.round((used.failed / used.total) * 100)} %`;
  };
  return (
    <div className="pt-2">
      <Table
        label="Tools"
        testId="tool-row"
        rows={tools}
        keyOf={({ name }) => name}
        leastPx={tableFrom}
        columns={[
          { name: "Tool", cell: ({ name }) => <ToolName name={name} onChoose={onChoose} /> },
          { name: "What it does", onCard: "text", cell: ({ description }) => <Description text={description} /> },
          { name: "Effect", cell: ({ effect }) => <span className="text-text2">{effect}</span> },
          { name: "Calls", isNumber: true, cell: ({ name }) => figures?.get(name)?.total ?? 0 },
          { name: "Failed", isNumber: true, cell: failed },
          {
            name: "Breaker",
            cell: ({ name }) => <BreakerMark breaker={breakers?.find(({ tool }) => tool === name)} />,
          },
        ]}
      />
    </div>
  );
}

function ToolName({ name, onChoose }: { readonly name: string; readonly onChoose: (name: string) => void }) {
  return (
    <button
      type="button"
      {...rowLink}
      className="mono min-h-6 text-start break-all text-accent hover:underline"
      onClick={() => onChoose(name)}
    >
      {name}
    </button>
  );
}

function Description({ text }: { readonly text: string | null }) {
  return (
    <span
      className="block text-text2 max-[1149px]:line-clamp-3 min-[1150px]:max-w-xs min-[1150px]:truncate xl:max-w-md"
      title={text ?? undefined}
    >
      {text}
    </span>
  );
}

function BreakerMark({ breaker }: { readonly breaker: Breaker | undefined }) {
  if (breaker === undefined) return <span className="text-text3">closed</span>;
  const { state, openUntil } = breaker;
  const until = state === "open" && openUntil !== null ? { note: `until ${showClockTime(openUntil)}` } : {};
  return <StatusPill shown={showBreaker(breaker)} {...until} />;
}
