// The first five minutes: what to try, one after another, each of which does something real. It can be closed for good, and
// what it is about can be taken away.

import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Check, CircleDot, PlugZap, X } from "lucide-react";
import { useState, type ReactNode } from "react";
import { pullThePlug, removeDemos } from "../../api/overview.ts";
import { useMay, useRefused } from "../../api/rights.ts";
import { startRun } from "../../api/runs.ts";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/dialog.tsx";
import { CopyButton } from "../../components/page.tsx";
import { tell, tellProblem } from "../../components/toasts.tsx";
import { prefer, usePreference } from "../../preferences.ts";
import { loadGraph } from "../run/graph/load-graph.ts";

type WelcomeProps = {
  readonly canCrash: boolean;
  readonly demos: readonly string[];
  /** Names of workflows that have run. */
  readonly tried: ReadonlySet<string>;
};

export function Welcome({ canCrash, demos, tried }: WelcomeProps) {
  const [isRemoving, setRemoving] = useState(false);
  const maySave = useMay("save");
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
      <ol className="grid gap-px bg-border sm:grid-cols-2 xl:grid-cols-3">
        <Try name="hello" demos={demos} tried={tried} title="Run the hello flow" verb="Run hello">
          Four steps in a row. The run page fills as they happen.
        </Try>
        <Try name="flaky" demos={demos} tried={tried} title="See a failure heal" verb="Run flaky">
          A source that is down twice. It is tried again, each time a little later.
        </Try>
        <Try name="publish-digest" demos={demos} tried={tried} title="You decide" verb="Run publish-digest">
          A flow that stops until somebody approves. Look into the inbox.
        </Try>
        <Plug canCrash={canCrash} />
        <MakeItYours name="hello" />
        <Task
          id="assistant"
          isDone={false}
          title="Let your assistant use it"
          action={<CopyButton text="stepwell mcp config claude">Copy the command</CopyButton>}
        >
          <code>stepwell mcp config claude</code> prints what to paste. Tools of your own come in under{" "}
          <Link to="/tools" className="text-accent underline">
            Tools
          </Link>
          .
        </Task>
      </ol>
      <RemoveDialog isOpen={isRemoving} onClose={() => setRemoving(false)} />
    </section>
  );
}

function useDone(id: string): readonly [boolean, () => void] {
  const isDone = usePreference(`welcome.${id}`, "no") === "yes";
  return [isDone, () => prefer(`welcome.${id}`, "yes")];
}

type TaskProps = {
  readonly id: string;
  readonly isDone: boolean;
  readonly title: string;
  readonly action: ReactNode;
  readonly children: ReactNode;
};

function Task({ id, isDone, title, action, children }: TaskProps) {
  return (
    <li className="flex flex-col items-start gap-2 bg-surface p-4" data-testid={`welcome-${id}`} data-done={isDone}>
      <h3 className="flex items-center gap-2 font-medium">
        {isDone ? (
          <Check size={16} className="text-good" aria-label="Done" />
        ) : (
          <CircleDot size={16} className="text-text3" aria-hidden />
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
  readonly tried: ReadonlySet<string>;
  readonly title: string;
  readonly verb: string;
  readonly children: string;
};

function Try({ name, demos, tried, title, verb, children }: TryProps) {
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
    <Task id={name} isDone={tried.has(name)} title={title} action={action}>
      {children}
    </Task>
  );
}

function Plug({ canCrash }: { readonly canCrash: boolean }) {
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const [isDone, finish] = useDone("plug");
  const refused = useRefused("operate");
  const pull = async (): Promise<void> => {
    setBusy(true);
    try {
      // What the run is watched with cannot be fetched while nobody answers.
      await loadGraph();
      const run = await pullThePlug();
      finish();
      tell("The process is killed in the midst of the second step. Watch it come back.");
      await navigate({ to: "/runs/$id", params: { id: String(run) } });
    } catch (error) {
      tellProblem(error);
      setBusy(false);
    }
  };
  const action = !canCrash ? (
    <CopyButton text="stepwell demo">Copy: stepwell demo</CopyButton>
  ) : refused === undefined ? (
    <Button look="danger" icon={PlugZap} isBusy={isBusy} onClick={() => void pull()}>
      Pull the plug
    </Button>
  ) : (
    <p className="text-meta text-text2">{refused}</p>
  );
  return (
    <Task id="plug" isDone={isDone} title="Pull the plug" action={action}>
      {canCrash
        ? "Kills the worker process (kill -9) in the midst of a step. The run goes on from what is on disk."
        : "In a terminal: the command kills a worker process in the midst of a step, and the run goes on."}
    </Task>
  );
}

function MakeItYours({ name }: { readonly name: string }) {
  const navigate = useNavigate();
  const [isDone, finish] = useDone("own");
  const refused = useRefused("save");
  const go = (): void => {
    finish();
    void navigate({ to: "/library/$name/edit", params: { name } });
  };
  const action =
    refused === undefined ? (
      <Button onClick={go}>Edit {name}</Button>
    ) : (
      <p className="text-meta text-text2">{refused}</p>
    );
  return (
    <Task id="own" isDone={isDone} title="Make it yours" action={action}>
      Change a line, save it, run it. The editor knows the steps and the tools.
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
