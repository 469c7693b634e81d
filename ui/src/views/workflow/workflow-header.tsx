import { useNavigate } from "@tanstack/react-router";
import { CopyPlus, Download, EllipsisVertical, Pencil, Play, Trash2 } from "lucide-react";
import { useState } from "react";
import { useRefused } from "../../api/rights.ts";
import { exportAddress } from "../../api/sharing.ts";
import { Button } from "../../components/button.tsx";
import { Switch } from "../../components/field.tsx";
import { Menu } from "../../components/menu.tsx";
import { Ago } from "../../components/time.tsx";
import type { WholeWorkflow } from "../../model/workflow.ts";
import { useShortcuts } from "../../shell/shortcuts.ts";
import { useStart } from "../../shell/use-start.ts";
import { DeleteDialog } from "../library/delete-dialog.tsx";
import { download } from "../library/row-actions.tsx";
import { useWorkflowActs } from "../library/use-workflow-acts.ts";

type HeaderProps = { readonly workflow: WholeWorkflow };

export function WorkflowFacts({ workflow: { version, updatedBy, updatedAt } }: HeaderProps) {
  return (
    <p className="text-meta text-text2">
      Version {version} · saved by {updatedBy} <Ago at={updatedAt} />
    </p>
  );
}

export function WorkflowActions({ workflow: { name, isEnabled, deletedAt } }: HeaderProps) {
  const start = useStart();
  const navigate = useNavigate();
  const acts = useWorkflowActs();
  const [isDeleting, setDeleting] = useState(false);
  const notSave = useRefused("save");
  const edit = (): void => void navigate({ to: "/library/$name/edit", params: { name } });
  useShortcuts([{ keys: "e", about: "Edit the workflow", act: edit }]);
  const notRun = useRefused("start") ?? (isEnabled && deletedAt === null ? undefined : "It is disabled");
  return (
    <>
      <span className="flex items-center gap-2 text-meta text-text2">
        <Switch
          label={`${name} is enabled`}
          isOn={isEnabled}
          isDisabled={notSave !== undefined}
          onChange={(isOn) => void acts.enable(name, isOn)}
        />
        <span aria-hidden className="hidden sm:inline">
          {isEnabled ? "Enabled" : "Disabled"}
        </span>
      </span>
      <Button icon={Pencil} onClick={edit}>
        Edit
      </Button>
      <Button look="primary" icon={Play} disabled={notRun !== undefined} title={notRun} onClick={() => start(name)}>
        Run
      </Button>
      <Menu
        trigger={<Button look="quiet" icon={EllipsisVertical} aria-label={`More about ${name}`} />}
        entries={[
          { label: "Export", icon: Download, act: () => download(exportAddress(name)) },
          { label: "Clone", icon: CopyPlus, refused: notSave, act: () => void acts.clone(name) },
          { label: "Delete", icon: Trash2, isDanger: true, refused: notSave, act: () => setDeleting(true) },
        ]}
      />
      <DeleteDialog
        name={isDeleting ? name : null}
        onClose={() => setDeleting(false)}
        remove={() => acts.remove(name, () => navigate({ to: "/library" }))}
      />
    </>
  );
}
