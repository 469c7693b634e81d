import { Link } from "@tanstack/react-router";
import { Empty, Page } from "../components/page.tsx";

export function NotFound() {
  return (
    <Page page="not-found" title="There is nothing here">
      <Empty
        title="No page has this address."
        action={
          <Link to="/" className="text-accent underline">
            Go home
          </Link>
        }
      >
        It may have been mistyped, or what stood here is gone.
      </Empty>
    </Page>
  );
}
