import { Page } from "../../components/page.tsx";

export function EditorPage() {
  return (
    <Page page="editor" title="Editor">
      <p />
    </Page>
  );
}

export function NewWorkflowPage() {
  return (
    <Page page="editor" title="New workflow">
      <p />
    </Page>
  );
}
