// The addresses of the editor: a saved workflow, and a new one.

import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Problem } from "../../api/request.ts";
import { workflowQuery } from "../../api/workflows.ts";
import { Empty, Loaded, Page, Skeleton } from "../../components/page.tsx";
import { blank, exampleNamed } from "../../model/examples.ts";
import { withName } from "../../model/flow-text.ts";
import { textOf, type WholeWorkflow } from "../../model/workflow.ts";
import { Editor } from "./editor.tsx";

const editRoute = getRouteApi("/library/$name/edit");
const newRoute = getRouteApi("/new");

export function EditorPage() {
  const { name } = editRoute.useParams();
  return (
    <Begun key={name} name={name} title={`Edit ${name}`}>
      {(found) => <Editor begun={{ name, text: textOf(found), saved: found }} />}
    </Begun>
  );
}

export function NewWorkflowPage() {
  const { from } = newRoute.useSearch();
  const example = from === undefined ? blank : (exampleNamed(from)?.text ?? null);
  if (example !== null) return <Editor key={from ?? ""} begun={{ name: null, text: example, saved: null }} />;
  return (
    <Begun key={from} name={from ?? ""} title="New workflow">
      {(found) => <Editor begun={{ name: null, text: withName(textOf(found), `${found.name}-copy`), saved: null }} />}
    </Begun>
  );
}

type BegunProps = {
  readonly name: string;
  readonly title: string;
  readonly children: (found: WholeWorkflow) => ReactNode;
};

/** What is saved is read once, and now: what was read before may be old. What others save meanwhile is told when this is
 *  saved. */
function Begun({ name, title, children }: BegunProps) {
  const query = useQuery({ ...workflowQuery(name), refetchOnMount: "always" });
  if (query.data !== undefined && query.isFetchedAfterMount) return children(query.data);
  const isMissing = query.error instanceof Problem && query.error.status === 404;
  return (
    <Page page="editor" title={title} titles={[title, "Library"]}>
      {isMissing ? (
        <Empty
          title={`There is no workflow called "${name}".`}
          action={
            <Link to="/new" className="text-accent underline">
              Write a new one
            </Link>
          }
        />
      ) : (
        <Loaded query={query} skeleton={<Skeleton lines={12} height={20} />}>
          {() => <Skeleton lines={12} height={20} />}
        </Loaded>
      )}
    </Page>
  );
}
