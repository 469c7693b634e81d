import { Page } from "../components/page.tsx";

export function Schedules() {
  return (
    <Page page="schedules" title="Schedules">
      <p />
    </Page>
  );
}
