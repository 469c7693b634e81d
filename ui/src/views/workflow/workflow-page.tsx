import { Page } from "../../components/page.tsx";

export function WorkflowPage() {
  return (
    <Page page="workflow" title="Workflow">
      <p />
    </Page>
  );
}
