// Calls the tool of one step, with arguments that one fills in: a run would have filled in some of them.

import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { callTool, toolsQuery, type Called } from "../../api/tools.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { Failed, Loaded } from "../../components/page.tsx";
import { SchemaForm } from "../../components/schema-form.tsx";
import { StatusPill } from "../../components/status.tsx";
import { toolNamed } from "../../model/completion.ts";
import { callAt, type Call } from "../../model/hover.ts";
import type { Json } from "../../model/json.ts";
import { defaultsOf } from "../../model/schema-form.ts";
import type { Tool } from "../../model/tool.ts";

type TryStepProps = { readonly text: string; readonly offset: number; readonly onClose: () => void };

export function TryStep({ text, offset, onClose }: TryStepProps) {
  const query = useQuery(toolsQuery);
  // The step at which it was opened; the text may be written on behind it.
  const [call] = useState(() => callAt(text, offset));
  if (call === null)
    return (
      <Dialog title="Try a step" isOpen onClose={onClose} foot={<Button onClick={onClose}>Close</Button>}>
        <p>There is no tool where the cursor stands. Put it into a step that calls one.</p>
      </Dialog>
    );
  if (query.data === undefined)
    return (
      <Dialog title={`Try ${call.tool}`} isOpen onClose={onClose}>
        <Loaded query={query}>{() => null}</Loaded>
      </Dialog>
    );
  const tool = toolNamed(query.data, call.tool);
  if (tool === null)
    return (
      <Dialog title={`Try ${call.tool}`} isOpen onClose={onClose} foot={<Button onClick={onClose}>Close</Button>}>
        <p>There is no tool {call.tool} here yet. Add its server, or mend its name.</p>
      </Dialog>
    );
  return <TryTool tool={tool} call={call} onClose={onClose} />;
}

type TryToolProps = { readonly tool: Tool; readonly call: Call; readonly onClose: () => void };

function TryTool({ tool, call, onClose }: TryToolProps) {
  const [args, setArgs] = useState<Json>(() => defaultsOf(tool.input, call.args));
  const [isValid, setValid] = useState(true);
  const trying = useMutation({ mutationFn: () => callTool(tool.name, args) });
  return (
    <Dialog
      title={`Try ${tool.name}`}
      isOpen
      isWide
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button
            look="primary"
            data-testid="try"
            isBusy={trying.isPending}
            disabled={!isValid}
            onClick={() => trying.mutate()}
          >
            Call it
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {tool.description === null ? null : <p className="whitespace-pre-wrap text-text2">{tool.description}</p>}
        {tool.effect === "write" ? (
          <p className="text-warn">It changes something, also when it is only tried.</p>
        ) : null}
        <SchemaForm schema={tool.input} value={args} onChange={setArgs} onValidity={setValid} />
        {trying.error === null ? null : <Failed error={trying.error} />}
        {trying.data === undefined ? null : <Answer called={trying.data} />}
      </div>
    </Dialog>
  );
}

function Answer({ called }: { readonly called: Called }) {
  return (
    <section aria-label="Answer" data-testid="answer" className="rounded-card border border-border p-3">
      <p className="mb-2 flex items-center gap-2">
        <StatusPill
          shown={called.ok ? { token: "done", word: called.outcome ?? "done" } : { token: "failed", word: "failed" }}
        />
        <Link to="/runs/$id" params={{ id: String(called.run) }} className="text-meta text-accent hover:underline">
          Run {called.run}
        </Link>
      </p>
      {called.error === null ? (
        <JsonView value={called.result} root={null} label="Answer" />
      ) : (
        <p className="break-words text-danger">{called.error.message}</p>
      )}
    </section>
  );
}
