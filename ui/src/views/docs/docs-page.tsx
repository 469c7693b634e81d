// The documentation that comes with this version, to be read here: without a network, and in the words of this program.

import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useLocation } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { docsPageQuery, docsQuery } from "../../api/docs.ts";
import { Card, Loaded, Page } from "../../components/page.tsx";
import { parseDocs, plainOf } from "../../model/docs-text.ts";
import { BlockView } from "./block-view.tsx";

export function DocsIndex() {
  const query = useQuery(docsQuery);
  return (
    <Page page="docs" title="Documentation">
      <Card>
        <Loaded query={query}>
          {(pages) => (
            <ul className="grid gap-x-4 p-4 sm:grid-cols-2 lg:grid-cols-3" aria-label="Pages of the documentation">
              {pages.map(({ name, title }) => (
                <li key={name}>
                  <Link
                    to="/docs/$name"
                    params={{ name }}
                    className="flex min-h-8 items-center text-accent hover:underline"
                  >
                    {title}
                  </Link>
                </li>
              ))}
            </ul>
          )}
        </Loaded>
      </Card>
    </Page>
  );
}

const route = getRouteApi("/docs/$name");

export function DocsPage() {
  const { name } = route.useParams();
  const query = useQuery(docsPageQuery(name));
  const blocks = useMemo(() => (query.data === undefined ? undefined : parseDocs(query.data)), [query.data]);
  const [first] = blocks ?? [];
  const title = first?.kind === "heading" ? plainOf(first.inside) : name;
  return (
    <Page page="docs" title={title} titles={[title, "Documentation"]}>
      {query.error === null ? null : (
        <Link to="/docs" className="self-start text-accent hover:underline">
          All pages of the documentation
        </Link>
      )}
      <Loaded query={{ data: blocks, error: query.error, refetch: query.refetch }}>
        {(found) => (
          <article className="flex max-w-3xl min-w-0 flex-col gap-3" aria-label={title}>
            <ToPlace />
            {/* The title stands above. */}
            {found.map((block, at) =>
              at === 0 && block.kind === "heading" ? null : <BlockView key={at} block={block} />,
            )}
          </article>
        )}
      </Loaded>
    </Page>
  );
}

/** The browser looked for the place before there was one. */
function ToPlace() {
  const hash = useLocation({ select: ({ hash: found }) => found });
  useEffect(() => {
    if (hash !== "") document.getElementById(decodeURIComponent(hash))?.scrollIntoView();
  }, [hash]);
  return null;
}
