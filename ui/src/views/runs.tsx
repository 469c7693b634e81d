import { Page } from "../components/page.tsx";

export function Runs() {
  return (
    <Page page="runs" title="Runs">
      <p />
    </Page>
  );
}
