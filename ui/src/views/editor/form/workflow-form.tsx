// What is about the whole workflow.

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useRefused } from "../../../api/rights.ts";
import { workflowsQuery } from "../../../api/workflows.ts";
import { Switch } from "../../../components/field.tsx";
import { problemOfDuration } from "../../../model/duration.ts";
import { isObject, type Json } from "../../../model/json.ts";
import { hasWrapper, setAbout } from "../../../model/step-order.ts";
import { useWorkflowActs } from "../../library/use-workflow-acts.ts";
import { WrittenField } from "./form-fields.tsx";
import type { Edit } from "./edit.ts";

type WorkflowFormProps = {
  readonly flow: Json;
  readonly name: string;
  readonly isNew: boolean;
  readonly taken: readonly string[];
  readonly edit: Edit;
};

export function WorkflowForm({ flow, name, isNew, taken, edit }: WorkflowFormProps) {
  const own = isObject(flow) ? flow : {};
  const write = (key: Parameters<typeof setAbout>[1], text: string): void =>
    edit((now) => setAbout(now, key, text.trim()), null);
  return (
    <>
      <h2 className="font-semibold">Workflow</h2>
      {isNew ? null : <Enabled name={name} />}
      {hasWrapper(flow) ? (
        <>
          {isNew ? (
            <WrittenField
              label="Name"
              isRequired
              value={textOf(own["name"])}
              check={(text) => problemOfName(text.trim(), taken)}
              onWrite={(text) => write("name", text)}
            />
          ) : null}
          <WrittenField
            label="Description"
            isLong
            value={textOf(own["description"])}
            onWrite={(text) => write("description", text)}
          />
          <WrittenField
            label="How long a run may take"
            value={textOf(own["timeout"])}
            placeholder="For example 2h, 30 days; empty: as long as it takes"
            check={(text) => (text === "" ? null : problemOfDuration(text))}
            onWrite={(text) => write("timeout", text)}
          />
        </>
      ) : (
        <p className="text-text2">
          Its steps stand in the text without a word around them. Write steps: above them, and it can have a name and a
          description.
        </p>
      )}
      <p className="text-meta text-text2">
        It runs when somebody starts it, at once or at a time that is said then; what is due stands in{" "}
        <Link to="/schedules" className="text-accent underline">
          Schedules
        </Link>
        . Put the cursor into a step, or choose one in the drawing, for its form.
      </p>
    </>
  );
}

function problemOfName(name: string, taken: readonly string[]): string | null {
  if (name === "") return "A workflow needs a name.";
  return taken.includes(name) ? `There is a workflow ${name} already.` : null;
}

/** At once, and not with the text: what runs is for who has it to say, not for a version. */
function Enabled({ name }: { readonly name: string }) {
  const { data: workflows } = useQuery(workflowsQuery);
  const acts = useWorkflowActs();
  const refused = useRefused("save");
  const workflow = workflows?.find((each) => each.name === name);
  if (workflow === undefined) return null;
  return (
    <div className="flex items-center gap-3" title={refused}>
      <Switch
        label={`${name} is enabled`}
        isOn={workflow.isEnabled}
        isDisabled={refused !== undefined}
        onChange={(isOn) => void acts.enable(name, isOn)}
      />
      <span aria-hidden>{workflow.isEnabled ? "Enabled: it can be started" : "Disabled: it is not started"}</span>
    </div>
  );
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
