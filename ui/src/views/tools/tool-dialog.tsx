import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useRefused } from "../../api/rights.ts";
import { callTool, type Called } from "../../api/tools.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { CopyButton } from "../../components/page.tsx";
import { SchemaForm } from "../../components/schema-form.tsx";
import { StatusPill } from "../../components/status.tsx";
import { Ticking } from "../../components/time.tsx";
import { tellProblem } from "../../components/toasts.tsx";
import type { Json } from "../../model/json.ts";
import { defaultsOf } from "../../model/schema-form.ts";
import { toStepText, type Tool } from "../../model/tool.ts";
import { BreakerOf } from "./breaker-line.tsx";

/** What it takes, and a place to try it. */
export function ToolDialog({ tool, onClose }: { readonly tool: Tool; readonly onClose: () => void }) {
  const [args, setArgs] = useState<Json>(() => defaultsOf(tool.input, {}));
  const [isValid, setValid] = useState(true);
  const [since, setSince] = useState<number | null>(null);
  const [called, setCalled] = useState<Called | null>(null);
  const refused = useRefused("start");
  const call = async (): Promise<void> => {
    setSince(Date.now());
    setCalled(null);
    try {
      setCalled(await callTool(tool.name, args));
    } catch (error) {
      tellProblem(error);
    } finally {
      setSince(null);
    }
  };
  return (
    <Dialog
      title={tool.name}
      isOpen
      isWide
      onClose={onClose}
      foot={
        <>
          <CopyButton text={toStepText(tool.name, args)}>Copy as a step</CopyButton>
          <Button
            look="primary"
            isBusy={since !== null}
            disabled={!isValid || refused !== undefined}
            title={refused}
            onClick={() => void call()}
            data-testid="try"
          >
            Try it
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {tool.description === null ? null : <p className="whitespace-pre-wrap text-text2">{tool.description}</p>}
        <BreakerOf tool={tool.name} />
        {tool.effect === "write" ? (
          <p className="text-warn">It changes something, also when it is only tried.</p>
        ) : null}
        <SchemaForm schema={tool.input} value={args} onChange={setArgs} onValidity={setValid} />
        {since === null ? null : (
          <p data-testid="trying" className="flex items-center gap-2">
            <span role="status">
              <StatusPill shown={{ token: "running", word: "running" }} />
            </span>
            <Ticking from={since} to={null} />
          </p>
        )}
        {called === null ? null : <CallResult called={called} />}
        <details>
          <summary className="min-h-6 text-text2">Schema</summary>
          <JsonView
            value={{ input: tool.input, output: tool.output, outcomes: tool.outcomes }}
            root={null}
            label={`Schema of ${tool.name}`}
          />
        </details>
      </div>
    </Dialog>
  );
}

function CallResult({ called }: { readonly called: Called }) {
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
