import { Page } from "../components/page.tsx";

export function Tools() {
  return (
    <Page page="tools" title="Tools">
      <p />
    </Page>
  );
}
