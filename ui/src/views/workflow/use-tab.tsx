// How other programs use it: the command line, HTTP, MCP.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { meQuery } from "../../api/queries.ts";
import { Card, CopyButton } from "../../components/page.tsx";
import { defaultsOf } from "../../model/schema-form.ts";
import { inputOf, toCommand, toCurl } from "../../model/start.ts";
import type { WholeWorkflow } from "../../model/workflow.ts";

export function UseTab({ workflow }: { readonly workflow: WholeWorkflow }) {
  const { name, mcpTool } = workflow;
  const { data: me } = useQuery(meQuery);
  const { schema, defaults } = inputOf(workflow.flow, workflow.input);
  const wish = { name, input: defaultsOf(schema, defaults), schedule: "", tz: "", key: "" };
  return (
    <div className="grid gap-4 p-4 md:p-5 xl:grid-cols-2">
      <Way title="Command line" text={toCommand(wish, me?.program)} label="Copy the command">
        Starts a run and follows it. <code>--at "tomorrow at 9am"</code> starts it later.
      </Way>
      <Way title="HTTP" text={toCurl(wish, location.origin)} label="Copy the request">
        With an <code>Idempotency-Key</code> a request that is sent twice starts one run. From another machine it needs
        a token.
      </Way>
      {mcpTool === null ? (
        <Card title="MCP tool">
          <p className="p-4 text-text2">
            Programs that speak MCP do not find it: it is not enabled. Once it is, the name of its tool stands here.
          </p>
        </Card>
      ) : (
        <Way title="MCP tool" text={mcpTool} label="Copy the tool's name">
          Programs that speak MCP find it under this name at <code>{location.origin}/mcp</code> while it is enabled. Its
          arguments are the input of the workflow.
        </Way>
      )}
      <Way title="A step of another workflow" text={JSON.stringify(name)} before="flow: " label="Copy the step">
        Starts it and waits for it; its output is the step's result.{" "}
        <Link to="/new" search={{ from: name }} className="text-accent underline">
          Begin a new workflow with a copy of this one
        </Link>
      </Way>
    </div>
  );
}

type WayProps = {
  readonly title: string;
  readonly text: string;
  readonly before?: string;
  readonly label: string;
  readonly children: ReactNode;
};

function Way({ title, text, before = "", label, children }: WayProps) {
  return (
    <Card title={title} actions={<CopyButton isSmall text={before + text} label={label} />}>
      <div className="flex flex-col gap-3 p-4">
        <pre tabIndex={0} role="group" aria-label={title} className="overflow-x-auto rounded-control bg-sunken p-3">
          {before + text}
        </pre>
        <p className="text-text2">{children}</p>
      </div>
    </Card>
  );
}
