import { Page } from "../components/page.tsx";

export function Inbox() {
  return (
    <Page page="inbox" title="Inbox">
      <p />
    </Page>
  );
}
