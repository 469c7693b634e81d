import { Page } from "../../components/page.tsx";

export function Settings() {
  return (
    <Page page="settings" title="Settings">
      <p />
    </Page>
  );
}
