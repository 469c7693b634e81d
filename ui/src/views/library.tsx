// The library: every saved workflow, how its runs went, and the ways to a new one.

import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { overviewQuery } from "../api/overview.ts";
import { workflowsQuery } from "../api/workflows.ts";
import { Empty, Loaded, Page } from "../components/page.tsx";
import { Tabs } from "../components/tabs.tsx";
import { filterWorkflows, type Workflow } from "../model/workflow.ts";
import { ExampleGallery } from "./library/example-gallery.tsx";
import { FilterField } from "./library/filter-field.tsx";
import { ImportDialog, type ImportFrom } from "./library/import-dialog.tsx";
import { NewMenu } from "./library/new-menu.tsx";
import { WorkflowList } from "./library/workflow-list.tsx";

const route = getRouteApi("/library");

export function Library() {
  const { tab = "workflows" } = route.useSearch();
  const navigate = route.useNavigate();
  const [importFrom, setImportFrom] = useState<ImportFrom | null>(null);
  const tabs = [
    { id: "workflows", label: "Workflows", content: () => <Saved onImport={setImportFrom} /> },
    { id: "examples", label: "Examples", content: () => <Examples /> },
  ];
  return (
    <Page page="library" title="Library" actions={<NewMenu onImport={setImportFrom} />} isFull>
      <Tabs
        label="Library"
        tabs={tabs}
        value={tab}
        onChange={(id) =>
          void navigate({ search: (old) => ({ ...old, tab: id === "workflows" ? undefined : id }), replace: true })
        }
      />
      {importFrom === null ? null : <ImportDialog from={importFrom} onClose={() => setImportFrom(null)} />}
    </Page>
  );
}

function Examples() {
  return (
    <div className="p-4 md:p-5">
      <ExampleGallery />
    </div>
  );
}

function Saved({ onImport }: { readonly onImport: (from: ImportFrom) => void }) {
  const query = useQuery(workflowsQuery);
  return (
    <div className="flex min-w-0 flex-col gap-4 p-4 md:p-5">
      <Loaded query={query}>
        {(workflows) =>
          workflows.length === 0 ? (
            <>
              <Empty
                title="No workflows yet"
                action={<NewMenu onImport={onImport} />}
                docs={{ page: "flow-language", word: "How workflows are written" }}
              >
                Write one, begin with one of the examples below, or bring a file. What is saved here can be run,
                scheduled and called by other programs.
              </Empty>
              <ExampleGallery />
            </>
          ) : (
            <Found workflows={workflows} />
          )
        }
      </Loaded>
    </div>
  );
}

function Found({ workflows }: { readonly workflows: readonly Workflow[] }) {
  const { text = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const overview = useQuery(overviewQuery);
  const found = filterWorkflows(workflows, text);
  const search = (wish: string): void =>
    void navigate({ search: (old) => ({ ...old, text: wish === "" ? undefined : wish }), replace: true });
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <FilterField text={text} onText={search} />
        <p className="text-meta text-text2" role="status">
          {found.length === workflows.length ? `${workflows.length} saved` : `${found.length} of ${workflows.length}`}
        </p>
      </div>
      {found.length === 0 ? (
        <Empty title={`No workflow is called like "${text}".`}>Try fewer letters, or clear the filter.</Empty>
      ) : (
        <WorkflowList workflows={found} figures={overview.data?.workflows ?? []} />
      )}
    </>
  );
}
