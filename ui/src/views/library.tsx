import { Page } from "../components/page.tsx";

export function Library() {
  return (
    <Page page="library" title="Library">
      <p />
    </Page>
  );
}
