import { Page } from "../components/page.tsx";

export function SeedWorkflows() {
  return (
    <Page page="seed-workflows" title="Workflows">
      <p />
    </Page>
  );
}
