import { Page } from "../../components/page.tsx";

export function RunPage() {
  return (
    <Page page="run" title="Run">
      <p />
    </Page>
  );
}
