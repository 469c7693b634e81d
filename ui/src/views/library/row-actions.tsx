import { useNavigate } from "@tanstack/react-router";
import { CopyPlus, Download, EllipsisVertical, List, Pencil, Play, Trash2 } from "lucide-react";
import { useRefused } from "../../api/rights.ts";
import { exportAddress } from "../../api/sharing.ts";
import { Button } from "../../components/button.tsx";
import { Menu } from "../../components/menu.tsx";
import type { Workflow } from "../../model/workflow.ts";
import { useStart } from "../../shell/use-start.ts";
import type { WorkflowActs } from "./use-workflow-acts.ts";

type RowActionsProps = {
  readonly workflow: Workflow;
  readonly acts: WorkflowActs;
  readonly onDelete: (name: string) => void;
};

export function RowActions({ workflow: { name, isEnabled }, acts, onDelete }: RowActionsProps) {
  const start = useStart();
  const notStart = useRefused("start");
  const notSave = useRefused("save");
  const navigate = useNavigate();
  return (
    <div className="flex items-center justify-end gap-1">
      <Button
        isSmall
        icon={Play}
        disabled={!isEnabled || notStart !== undefined}
        title={notStart ?? (isEnabled ? undefined : "It is disabled")}
        aria-label={`Run ${name}`}
        onClick={() => start(name)}
      >
        Run
      </Button>
      <Menu
        trigger={<Button look="quiet" isSmall icon={EllipsisVertical} aria-label={`More about ${name}`} />}
        entries={[
          { label: "Runs", icon: List, act: () => void navigate({ to: "/runs", search: { workflow: name } }) },
          { label: "Edit", icon: Pencil, act: () => void navigate({ to: "/library/$name/edit", params: { name } }) },
          { label: "Export", icon: Download, act: () => download(exportAddress(name)) },
          { label: "Clone", icon: CopyPlus, refused: notSave, act: () => void acts.clone(name) },
          { label: "Delete", icon: Trash2, isDanger: true, refused: notSave, act: () => onDelete(name) },
        ]}
      />
    </div>
  );
}

/** The server says what the file is called. */
export function download(address: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = "";
  link.click();
}
