// One step: what it calls, with what, what happens when that fails, and where it leads.

import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../../components/button.tsx";
import { toolNamed } from "../../../model/completion.ts";
import { problemOfDuration } from "../../../model/duration.ts";
import type { Json } from "../../../model/json.ts";
import {
  kindOf,
  setArgs,
  setTool,
  troublesOf,
  waysOf,
  type Question,
  type StepKind,
  type StepPlace,
} from "../../../model/step-form.ts";
import { isHandedOtherwise, keyIn, setKey } from "../../../model/step-keys.ts";
import { moveStep, orderOf, removeStep } from "../../../model/step-order.ts";
import type { Tool } from "../../../model/tool.ts";
import { ArgsForm } from "./args-form.tsx";
import { QuestionField, WrittenField } from "./form-fields.tsx";
import { ToolField } from "./tool-field.tsx";
import type { Edit } from "./edit.ts";

type StepFormProps = {
  readonly flow: Json;
  readonly place: StepPlace;
  readonly tools: readonly Tool[];
  readonly edit: Edit;
};

export function StepForm({ flow, place, tools, edit }: StepFormProps) {
  const { step, path, name } = place;
  const tool = keyIn(step, "tool") === "" ? null : toolNamed(tools, keyIn(step, "tool"));
  const troubles = troublesOf(place);
  const ways = waysOf(place, tool?.outcomes ?? []);
  const hasTimeout = kindOf(step) !== "set" && kindOf(step) !== "end";
  return (
    <>
      <header className="flex items-center gap-1">
        <h2 className="min-w-0 truncate font-semibold" title={name}>
          {name}
        </h2>
        <StepOrder flow={flow} place={place} edit={edit} />
      </header>
      <CallFields place={place} tools={tools} tool={tool} edit={edit} />
      {troubles.length === 0 && !hasTimeout ? null : (
        <Section title="When it fails">
          <Questions questions={troubles} place={place} edit={edit} />
          {keyIn(step, "on_circuit_open") === "fallback" || keyIn(step, "fallback") !== "" ? (
            <ToolField
              label="The other tool"
              tools={tools}
              value={keyIn(step, "fallback")}
              onChoose={(other) => edit((now) => setTool(now, place, "fallback", other), path)}
            />
          ) : null}
          {hasTimeout ? <Timeout place={place} edit={edit} /> : null}
        </Section>
      )}
      {place.notation === "action" ? null : (
        <Section title="Where it leads">
          <Questions questions={ways} place={place} edit={edit} />
          {ways.some(({ id }) => id === "next" || id === "else") ? null : (
            <p className="text-meta text-text2">How else it goes on is written in the text.</p>
          )}
        </Section>
      )}
    </>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-3 border-t border-border pt-3">
      <h3 className="text-meta font-semibold text-text2">{title}</h3>
      {children}
    </section>
  );
}

type PartProps = { readonly place: StepPlace; readonly edit: Edit };

function Questions({ questions, place, edit }: PartProps & { readonly questions: readonly Question[] }) {
  return questions.map((question) => (
    <QuestionField
      key={question.id}
      question={question}
      onAnswer={(value) => edit((now) => question.answer(now, value), place.path)}
    />
  ));
}

function Timeout({ place: { path, step }, edit }: PartProps) {
  return (
    <WrittenField
      label="How long it may take"
      value={keyIn(step, "timeout")}
      placeholder="For example 30s, 5m, 2 days"
      check={(text) => (text === "" ? null : problemOfDuration(text))}
      onWrite={(text) => edit((now) => setKey(now, path, "timeout", text.trim()), path)}
    />
  );
}

const kinds: { readonly [kind in Exclude<StepKind, "tool">]: string } = {
  gate: "It waits for a person. What it asks is written in the text, under gate.",
  wait: "It waits for a time or an event, which is written in the text, under wait.",
  flow: "It runs another workflow. Its name and its input are written in the text, under flow and input.",
  set: "It computes values, which are written in the text, under set.",
  end: "It does nothing itself.",
};

type CallProps = PartProps & { readonly tools: readonly Tool[]; readonly tool: Tool | null };

function CallFields({ place, tools, tool, edit }: CallProps) {
  const { step, path } = place;
  const kind = kindOf(step);
  if (kind !== "tool") return <p className="text-text2">{kinds[kind]}</p>;
  return (
    <>
      <ToolField
        label="Tool"
        tools={tools}
        value={keyIn(step, "tool")}
        onChoose={(name) => edit((now) => setTool(now, place, "tool", name), path)}
      />
      <section aria-label="Arguments">
        {isHandedOtherwise(step) ? (
          <p className="text-text2">What it is handed is written in the text, as settings of a skill.</p>
        ) : (
          <ArgsForm
            key={`${path.join("/")} ${tool?.name ?? ""}`}
            schema={tool?.input ?? null}
            args={step["args"] ?? {}}
            onWrite={(args) => edit((now) => setArgs(now, place, args), path)}
          />
        )}
      </section>
    </>
  );
}

function StepOrder({ flow, place, edit }: PartProps & { readonly flow: Json }) {
  const { name, path } = place;
  const { at, count, problem } = orderOf(flow, place);
  if (place.notation === "action") return null;
  const move = (by: number): void => {
    if (at !== null) edit((now) => moveStep(now, at, at + by), ["steps", String(at + by)]);
  };
  const refused = problem ?? undefined;
  return (
    <div className="ms-auto flex gap-1">
      {at === null ? null : (
        <>
          <Button
            look="quiet"
            isSmall
            icon={ArrowUp}
            aria-label={`Move ${name} up`}
            title={refused ?? "Up"}
            disabled={at === 0 || problem !== null}
            onClick={() => move(-1)}
          />
          <Button
            look="quiet"
            isSmall
            icon={ArrowDown}
            aria-label={`Move ${name} down`}
            title={refused ?? "Down"}
            disabled={at === count - 1 || problem !== null}
            onClick={() => move(1)}
          />
        </>
      )}
      <Button
        look="quiet"
        isSmall
        icon={Trash2}
        aria-label={`Remove ${name}`}
        title={refused ?? "Remove"}
        disabled={problem !== null}
        onClick={() => edit((now) => removeStep(now, place), [path[0] ?? ""])}
      />
    </div>
  );
}
