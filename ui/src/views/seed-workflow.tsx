import { Page } from "../components/page.tsx";

export function SeedWorkflow() {
  return (
    <Page page="seed-workflow" title="New workflow">
      <p />
    </Page>
  );
}
