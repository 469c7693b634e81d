// One saved workflow: its drawing and figures, its runs, its versions, and the ways to use it.

import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Problem } from "../../api/request.ts";
import { workflowQuery } from "../../api/workflows.ts";
import { Empty, Loaded, Page } from "../../components/page.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { textOf, type WholeWorkflow } from "../../model/workflow.ts";
import { DefinitionText } from "./definition-text.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { RunsTab } from "./runs-tab.tsx";
import { SettingsTab } from "./settings-tab.tsx";
import { UseTab } from "./use-tab.tsx";
import { VersionsTab } from "./versions-tab.tsx";
import { WorkflowActions, WorkflowFacts } from "./workflow-header.tsx";

const route = getRouteApi("/library/$name");

export function WorkflowPage() {
  const { name } = route.useParams();
  const query = useQuery(workflowQuery(name));
  if (query.error instanceof Problem && query.error.status === 404 && query.data === undefined)
    return <Missing name={name} />;
  const workflow = query.data;
  return (
    <Page
      page="workflow"
      title={name}
      titles={[name, "Library"]}
      beside={workflow === undefined ? null : <WorkflowFacts workflow={workflow} />}
      actions={workflow === undefined ? null : <WorkflowActions workflow={workflow} />}
      isFull
    >
      <Loaded query={query}>{(found) => <Body workflow={found} />}</Loaded>
    </Page>
  );
}

function Body({ workflow }: { readonly workflow: WholeWorkflow }) {
  const { tab = "overview" } = route.useSearch();
  const navigate = route.useNavigate();
  const { name, description, deletedAt, version } = workflow;
  const tabs = [
    { id: "overview", label: "Overview", content: () => <OverviewTab workflow={workflow} /> },
    { id: "runs", label: "Runs", content: () => <RunsTab name={name} /> },
    { id: "versions", label: "Versions", count: version, content: () => <VersionsTab workflow={workflow} /> },
    { id: "use", label: "Use it", content: () => <UseTab workflow={workflow} /> },
    { id: "settings", label: "Settings", content: () => <SettingsTab workflow={workflow} /> },
    { id: "definition", label: "Definition", content: () => <DefinitionText text={textOf(workflow)} /> },
  ];
  return (
    <>
      {deletedAt === null ? null : (
        <p role="status" className="bg-warn-tint px-4 py-2 text-warn md:px-5">
          It was deleted and is not started any more. Restore one of its versions to have it back.
        </p>
      )}
      {description === null ? null : <p className="px-4 pt-3 text-text2 md:px-5">{description}</p>}
      <Tabs
        label={`About ${name}`}
        tabs={tabs}
        value={tab}
        onChange={(id) => void navigate({ search: (old) => ({ ...old, tab: id }), replace: true })}
      />
    </>
  );
}

function Missing({ name }: { readonly name: string }) {
  return (
    <Page page="workflow" title="No such workflow" titles={[name, "Library"]}>
      <Empty
        title={`There is no workflow called "${name}".`}
        action={
          <Link to="/library" className="text-accent underline">
            All workflows
          </Link>
        }
      >
        It may have been saved under another name.
      </Empty>
    </Page>
  );
}
