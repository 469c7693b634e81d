import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { toolsQuery } from "../../api/tools.ts";
import { workflowsQuery } from "../../api/workflows.ts";
import { flowSchemaQuery } from "../../api/writing.ts";
import type { Known } from "../../model/completion.ts";
import { syntaxOf } from "../../model/flow-text.ts";

/** By which is completed: the language, the tools that are there, and the other workflows. */
export function useKnown(text: string): Known {
  const schema = useQuery(flowSchemaQuery).data ?? null;
  const tools = useQuery(toolsQuery).data;
  const workflows = useQuery(workflowsQuery).data;
  const syntax = syntaxOf(text);
  return useMemo(
    () => ({ schema, tools: tools ?? [], workflows: (workflows ?? []).map(({ name }) => name), syntax }),
    [schema, tools, workflows, syntax],
  );
}
