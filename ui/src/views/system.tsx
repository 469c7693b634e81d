import { Page } from "../components/page.tsx";

export function System() {
  return (
    <Page page="system" title="System">
      <p />
    </Page>
  );
}
