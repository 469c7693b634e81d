import { Page } from "../components/page.tsx";

export function Login() {
  return (
    <Page page="login" title="Log in">
      <p />
    </Page>
  );
}
