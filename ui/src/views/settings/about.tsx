import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { routesQuery } from "../../api/reference.ts";
import { systemQuery } from "../../api/system.ts";
import { Card, Loaded } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";

export function About() {
  const system = useQuery(systemQuery);
  const routes = useQuery(routesQuery);
  return (
    <div className="flex flex-col gap-4 p-4 md:p-5">
      <Card title="Stepwell">
        <div className="flex flex-col gap-1 p-4">
          <p>
            Version <code>{system.data?.version ?? "…"}</code>, under the Apache License 2.0.
          </p>
          <p>
            <Link to="/docs" className="text-accent underline">
              Documentation
            </Link>{" "}
            of this version, which comes with it.
          </p>
          <p className="text-text2">
            The fonts are Inter and JetBrains Mono, under the SIL Open Font License; the icons are Lucide's, under the
            ISC License.
          </p>
        </div>
      </Card>
      <Card
        title="The API"
        actions={
          <a href="/api/openapi.json" className="text-meta text-accent hover:underline">
            openapi.json
          </a>
        }
      >
        <Loaded query={routes}>
          {(all) => (
            <Table
              label="Routes"
              testId="route-row"
              rows={all}
              keyOf={({ method, path }) => `${method} ${path}`}
              columns={[
                {
                  name: "Request",
                  cell: ({ method, path }) => <code className="break-all">{`${method} ${path}`}</code>,
                },
                { name: "What it does", onCard: "text", cell: ({ about }) => about },
                { name: "Right", onCard: "corner", cell: ({ right }) => <code>{right}</code> },
              ]}
            />
          )}
        </Loaded>
      </Card>
    </div>
  );
}
