// What governs the runs of a workflow: what its definition says, who may do what with it, and whether it can be started.

import { Link } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useRefused } from "../../api/rights.ts";
import { exportAddress } from "../../api/sharing.ts";
import { Button } from "../../components/button.tsx";
import { Switch } from "../../components/field.tsx";
import { Card } from "../../components/page.tsx";
import { permissionKeyOf } from "../../model/right.ts";
import { settingsOf, type Setting } from "../../model/workflow-settings.ts";
import type { WholeWorkflow } from "../../model/workflow.ts";
import { download } from "../library/row-actions.tsx";
import { useWorkflowActs } from "../library/use-workflow-acts.ts";

export function SettingsTab({ workflow }: { readonly workflow: WholeWorkflow }) {
  const { name, version } = workflow;
  return (
    <div className="grid items-start gap-4 p-4 md:p-5 xl:grid-cols-2">
      <Card title={`What version ${version} says`}>
        <dl className="flex flex-col divide-y divide-border">
          {settingsOf(workflow.flow).map((setting) => (
            <Row key={setting.term} setting={setting} />
          ))}
        </dl>
        <p className="border-t border-border px-4 py-3 text-text2">
          It is changed with the definition:{" "}
          <Link to="/library/$name/edit" params={{ name }} className="underline">
            edit it
          </Link>
          . Runs under way keep the version with which they began. How long runs are kept is said for all workflows of
          the store, in its configuration.
        </p>
      </Card>
      <div className="flex min-w-0 flex-col gap-4">
        <Enabled workflow={workflow} />
        <Rights />
        <Card title="Export">
          <div className="flex flex-wrap items-center gap-3 p-4">
            <p className="min-w-0 flex-1 basis-60 text-text2">
              One file with the workflow and what it starts, without secrets, that another store can import.
            </p>
            <Button icon={Download} onClick={() => download(exportAddress(name))}>
              Export {name}
            </Button>
          </div>
        </Card>
      </div>
    </div>
  );
}

function Row({ setting: { term, value, steps } }: { readonly setting: Setting }) {
  return (
    <div className="grid gap-x-4 px-4 py-2 sm:grid-cols-[11rem_minmax(0,1fr)]">
      <dt className="text-text2">{term}</dt>
      <dd className="min-w-0 break-words">
        {value}
        {steps.length === 0 ? null : (
          <ul className="text-table">
            {steps.map((step, at) => (
              <li key={at} className="break-words">
                <code>{step.name}</code>: {step.value}
              </li>
            ))}
          </ul>
        )}
      </dd>
    </div>
  );
}

function Enabled({ workflow: { name, isEnabled, deletedAt } }: { readonly workflow: WholeWorkflow }) {
  const acts = useWorkflowActs();
  const notSave = useRefused("save");
  return (
    <Card title="Enabled">
      <div className="flex items-center gap-3 p-4">
        <Switch
          label={`${name} can be started`}
          isOn={isEnabled}
          isDisabled={notSave !== undefined || deletedAt !== null}
          onChange={(isOn) => void acts.enable(name, isOn)}
        />
        <p className="min-w-0 text-text2">
          {isEnabled
            ? "It can be started, by people, programs and other workflows."
            : "It is not started by anybody. Runs under way go on."}
        </p>
      </div>
    </Card>
  );
}

const rights = [
  ["start", "Starts runs of it"],
  ["cancel", "Cancels runs"],
  ["answer", "Answers what they ask, where a gate names nobody else"],
  ["operate", "Decides about steps that are held"],
  ["save", "Changes, enables and deletes it"],
] as const;

function Rights() {
  return (
    <Card title="Permissions">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 p-4">
        {rights.map(([right, does]) => (
          <div key={right} className="contents">
            <dt className="mono">{permissionKeyOf(right)}</dt>
            <dd className="min-w-0 break-words">{does}</dd>
          </div>
        ))}
      </dl>
      <p className="border-t border-border px-4 py-3 text-text2">
        They hold for all workflows, and are granted in{" "}
        <Link to="/settings" search={{ tab: "users" }} className="underline">
          Settings
        </Link>
        .
      </p>
    </Card>
  );
}
