// The first five minutes: what to try, one after another, each of which does something real. It can be closed for good, and
// what it is about can be taken away.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Check, Circle, PlugZap, X } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { decidedQuery } from "../../api/decided.ts";
import { pullThePlug, removeDemos, type Demo } from "../../api/overview.ts";
import { useCommand } from "../../api/use-command.ts";
import { useMay, useRefused } from "../../api/rights.ts";
import { startRun } from "../../api/runs.ts";
import { cloneWorkflow } from "../../api/sharing.ts";
import { serversQuery } from "../../api/tools.ts";
import { enableWorkflow, workflowsQuery } from "../../api/workflows.ts";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/dialog.tsx";
import { CopyButton } from "../../components/page.tsx";
import { tell, tellProblem } from "../../components/toasts.tsx";
import { prefer, usePreference } from "../../preferences.ts";
import { loadGraph } from "../run/graph/load-graph.ts";

type WelcomeProps = {
  readonly demo: Demo;
  /** Names of workflows of which a run has come to its end. */
  readonly completed: ReadonlySet<string>;
};

/** The one in which a person decides. */
const asking = "publish-digest";

/** Each is ticked by what has happened, whoever did it and from wherever. */
export function Welcome({ demo, completed }: WelcomeProps) {
  const [isRemoving, setRemoving] = useState(false);
  const maySave = useMay("save");
  const command = useCommand();
  const decided = useQuery(decidedQuery).data ?? [];
  const { demos } = demo;
  return (
    <section aria-label="Welcome" data-testid="welcome" className="rounded-card border border-border bg-surface">
      <header className="flex items-center gap-2 border-b border-border px-4 py-2">
        <h2>Welcome. Five minutes, and you have seen it work.</h2>
        <div className="ms-auto flex gap-1">
          {maySave ? (
            <Button look="quiet" isSmall onClick={() => setRemoving(true)}>
              Remove the demo
            </Button>
          ) : null}
          <Button
            look="quiet"
            isSmall
            icon={X}
            aria-label="Close the welcome"
            onClick={() => prefer("welcome", "closed")}
          />
        </div>
      </header>
      <ol className="grid gap-px overflow-hidden rounded-b-card bg-border sm:grid-cols-2 xl:grid-cols-3">
        <Try name="hello" demos={demos} isDone={completed.has("hello")} title="Run the hello flow" verb="Run hello">
          Four steps in a row. The run page fills as they happen.
        </Try>
        <Try name="flaky" demos={demos} isDone={completed.has("flaky")} title="See a failure heal" verb="Run flaky">
          A source that is down twice. It is tried again, each time a little later.
        </Try>
        <Try
          name={asking}
          demos={demos}
          isDone={decided.some(({ workflow }) => workflow === asking)}
          title="You decide"
          verb={`Run ${asking}`}
        >
          A flow that stops until somebody approves. Look into the inbox.
        </Try>
        <Plug canCrash={demo.canCrash} isDone={demo.hasSurvived} />
        <MakeItYours name="hello" demos={demos} />
        <ConnectServer />
        <Task
          id="assistant"
          isWide
          isDone={null}
          title="Let your assistant use it"
          action={<CopyButton text={command("mcp config claude")}>Copy the command</CopyButton>}
        >
          <code className="break-words">{command("mcp config claude")}</code> prints what to paste. Workflows are its
          tools then.
        </Task>
      </ol>
      <RemoveDialog isOpen={isRemoving} onClose={() => setRemoving(false)} />
    </section>
  );
}

type TaskProps = {
  readonly id: string;
  /** null: nobody can know. */
  readonly isDone: boolean | null;
  readonly title: string;
  readonly action: ReactNode;
  readonly children: ReactNode;
  /** The last one, which has a line for itself. */
  readonly isWide?: boolean;
};

/** What was once done stays so in this browser, also when the run or the server by which it was known is gone. */
function useDone(id: string, isDone: boolean | null): boolean | null {
  const wasDone = usePreference(`welcome.${id}`, "open") === "done";
  const isNew = isDone === true && !wasDone;
  useEffect(() => {
    if (isNew) prefer(`welcome.${id}`, "done");
  }, [id, isNew]);
  return isDone === null ? null : isDone || wasDone;
}

function Task({ id, isDone: isDoneNow, title, action, children, isWide = false }: TaskProps) {
  const isDone = useDone(id, isDoneNow);
  return (
    <li
      className={`flex flex-col items-start gap-2 bg-surface p-4 ${isWide ? "sm:col-span-2 xl:col-span-3" : ""}`}
      data-testid={`welcome-${id}`}
      data-done={isDone === true}
    >
      <h3 className="flex items-center gap-2 font-medium">
        {isDone === null ? null : isDone ? (
          <Check size={16} className="text-good" aria-label="Done" />
        ) : (
          <Circle size={16} className="text-text3" aria-hidden />
        )}
        {title}
      </h3>
      <p className="flex-1 text-text2">{children}</p>
      {action}
    </li>
  );
}

type TryProps = {
  readonly name: string;
  readonly demos: readonly string[];
  readonly isDone: boolean;
  readonly title: string;
  readonly verb: string;
  readonly children: string;
};

function Try({ name, demos, isDone, title, verb, children }: TryProps) {
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const refused = useRefused("start");
  const run = async (): Promise<void> => {
    setBusy(true);
    try {
      const { id } = await startRun({ name });
      await navigate({ to: "/runs/$id", params: { id: String(id) } });
    } catch (error) {
      tellProblem(error);
      setBusy(false);
    }
  };
  const obstacle = demos.includes(name) ? refused : "It was removed.";
  const action =
    obstacle === undefined ? (
      <Button look="primary" isBusy={isBusy} onClick={() => void run()}>
        {verb}
      </Button>
    ) : (
      <p className="text-meta text-text2">{obstacle}</p>
    );
  return (
    <Task id={name} isDone={isDone} title={title} action={action}>
      {children}
    </Task>
  );
}

function Plug({ canCrash, isDone }: { readonly canCrash: boolean; readonly isDone: boolean }) {
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const command = useCommand();
  const refused = useRefused("operate");
  const pull = async (): Promise<void> => {
    setBusy(true);
    try {
      // What the run is watched with cannot be fetched while nobody answers.
      await loadGraph();
      const run = await pullThePlug();
      tell("The process is killed in the midst of the second step. Watch it come back.");
      await navigate({ to: "/runs/$id", params: { id: String(run) } });
    } catch (error) {
      tellProblem(error);
      setBusy(false);
    }
  };
  const action = !canCrash ? (
    <CopyButton text={command("demo crash")}>Copy the command</CopyButton>
  ) : refused === undefined ? (
    <Button look="danger" icon={PlugZap} isBusy={isBusy} onClick={() => void pull()}>
      Pull the plug
    </Button>
  ) : (
    <p className="text-meta text-text2">{refused}</p>
  );
  return (
    <Task id="plug" isDone={isDone} title="Pull the plug" action={action}>
      {canCrash ? (
        "Kills the worker process (kill -9) in the midst of a step. The run goes on from what is on disk."
      ) : (
        <>
          In a terminal, <code className="break-words">{command("demo crash")}</code> kills a worker process in the
          midst of a step, and the run goes on.
        </>
      )}
    </Task>
  );
}

/** A copy is theirs: what came with the program stays as it came, and can be removed. */
function MakeItYours({ name, demos }: { readonly name: string; readonly demos: readonly string[] }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const saved = useQuery(workflowsQuery).data ?? [];
  const refused = useRefused("save") ?? (demos.includes(name) ? undefined : "It was removed.");
  const copy = async (): Promise<void> => {
    setBusy(true);
    try {
      const made = await cloneWorkflow(name);
      // It can be run from the editor at once.
      await enableWorkflow(made, true);
      tell(`${made} is a copy of ${name}, and yours.`);
      void client.invalidateQueries({ queryKey: ["workflows"] });
      await navigate({ to: "/library/$name/edit", params: { name: made } });
    } catch (error) {
      tellProblem(error);
      setBusy(false);
    }
  };
  const action =
    refused === undefined ? (
      <Button isBusy={isBusy} onClick={() => void copy()}>
        Copy {name} and edit it
      </Button>
    ) : (
      <p className="text-meta text-text2">{refused}</p>
    );
  return (
    <Task id="own" isDone={saved.some((each) => !demos.includes(each.name))} title="Make it yours" action={action}>
      A copy of {name}: change a line, save it, run it. The editor knows the steps and the tools.
    </Task>
  );
}

/** Tools of their own: until then flows call what comes with the program. */
function ConnectServer() {
  const navigate = useNavigate();
  const refused = useRefused("admin");
  // It is looked at once: whoever connects one comes back here from another page.
  const { data: servers = [] } = useQuery({ ...serversQuery, refetchInterval: false });
  const action =
    refused === undefined ? (
      <Button onClick={() => void navigate({ to: "/tools", search: { add: "program" } })}>Add a server</Button>
    ) : (
      <p className="text-meta text-text2">{refused}</p>
    );
  return (
    <Task
      id="connect"
      isDone={servers.some(({ toolCount }) => toolCount > 0)}
      title="Connect a real MCP server"
      action={action}
    >
      Paste its command, its address, or the mcp.json of another program. Steps call its tools at once.
    </Task>
  );
}

function RemoveDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const client = useQueryClient();
  const remove = async (): Promise<void> => {
    const { removed, kept } = await removeDemos();
    tell(
      kept.length === 0
        ? `${removed.length} demo workflows are gone.`
        : `${removed.length} are gone; changed ones stay: ${kept.join(", ")}.`,
    );
    await client.invalidateQueries();
  };
  return (
    <Confirm title="Remove the demo workflows?" verb="Remove them" isOpen={isOpen} onClose={onClose} act={remove}>
      Those that you have changed stay, and so do all runs.
    </Confirm>
  );
}
