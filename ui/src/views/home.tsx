import { Page } from "../components/page.tsx";

export function Home() {
  return (
    <Page page="home" title="Home">
      <p />
    </Page>
  );
}
