// The first five minutes: what to try, one after another, each of which does something real. It can be closed for good, and
// what it is about can be taken away.

import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Check, CircleDot, PlugZap, X } from "lucide-react";
import { useState, type ReactNode } from "react";
import { pullThePlug, removeDemos } from "../../api/overview.ts";
import { startRun } from "../../api/runs.ts";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/dialog.tsx";
import { CopyButton } from "../../components/page.tsx";
import { tell, tellProblem } from "../../components/toasts.tsx";
import { prefer, usePreference } from "../../preferences.ts";

type WelcomeProps = { readonly canCrash: boolean; readonly demos: readonly string[] };

export function Welcome({ canCrash, demos }: WelcomeProps) {
  const [isRemoving, setRemoving] = useState(false);
  return (
    <section aria-label="Welcome" data-testid="welcome" className="rounded-card border border-border bg-surface">
      <header className="flex items-center gap-2 border-b border-border px-4 py-2">
        <h2>Welcome. Five minutes, and you have seen it work.</h2>
        <div className="ms-auto flex gap-1">
          <Button look="quiet" isSmall onClick={() => setRemoving(true)}>
            Remove the demo
          </Button>
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
        <Try name="hello" demos={demos} title="Run the hello flow" verb="Run hello">
          Four steps in a row. The run page fills as they happen.
        </Try>
        <Try name="flaky" demos={demos} title="See a failure heal" verb="Run flaky">
          A source that is down twice. It is tried again, each time a little later.
        </Try>
        <Try name="publish-digest" demos={demos} title="You decide" verb="Run publish-digest">
          A flow that stops until somebody approves. Look into the inbox.
        </Try>
        <Plug canCrash={canCrash} />
        <Task id="own" title="Make it yours" action={<LinkButton name="hello" words="Edit hello" id="own" />}>
          Change a line, save it, run it. The editor knows the steps and the tools.
        </Task>
        <Task
          id="assistant"
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
  readonly title: string;
  readonly action: ReactNode;
  readonly children: ReactNode;
};

function Task({ id, title, action, children }: TaskProps) {
  const [isDone] = useDone(id);
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
  readonly title: string;
  readonly verb: string;
  readonly children: string;
};

function Try({ name, demos, title, verb, children }: TryProps) {
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const [, finish] = useDone(name);
  const run = async (): Promise<void> => {
    setBusy(true);
    try {
      const { id } = await startRun({ name });
      finish();
      await navigate({ to: "/runs/$id", params: { id: String(id) } });
    } catch (error) {
      tellProblem(error);
      setBusy(false);
    }
  };
  const action = demos.includes(name) ? (
    <Button look="primary" isBusy={isBusy} onClick={() => void run()}>
      {verb}
    </Button>
  ) : (
    <p className="text-meta text-text2">It was removed.</p>
  );
  return (
    <Task id={name} title={title} action={action}>
      {children}
    </Task>
  );
}

function Plug({ canCrash }: { readonly canCrash: boolean }) {
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const [, finish] = useDone("plug");
  const pull = async (): Promise<void> => {
    setBusy(true);
    try {
      const run = await pullThePlug();
      finish();
      tell("The process is killed in the midst of the second step. Watch it come back.");
      await navigate({ to: "/runs/$id", params: { id: String(run) } });
    } catch (error) {
      tellProblem(error);
      setBusy(false);
    }
  };
  const action = canCrash ? (
    <Button look="danger" icon={PlugZap} isBusy={isBusy} onClick={() => void pull()}>
      Pull the plug
    </Button>
  ) : (
    <CopyButton text="stepwell demo">Copy: stepwell demo</CopyButton>
  );
  return (
    <Task id="plug" title="Pull the plug" action={action}>
      {canCrash
        ? "Kills the worker process (kill -9) in the midst of a step. The run goes on from what is on disk."
        : "In a terminal: the command kills a worker process in the midst of a step, and the run goes on."}
    </Task>
  );
}

function LinkButton({ name, words, id }: { readonly name: string; readonly words: string; readonly id: string }) {
  const navigate = useNavigate();
  const [, finish] = useDone(id);
  const go = (): void => {
    finish();
    void navigate({ to: "/library/$name/edit", params: { name } });
  };
  return <Button onClick={go}>{words}</Button>;
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
