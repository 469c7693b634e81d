import { useNavigate } from "@tanstack/react-router";
import { copyText } from "../../components/copy-text.ts";
import type { Outline } from "../../model/run.ts";
import { useShortcuts } from "../../shell/shortcuts.ts";
import { runRoute, useShow } from "./route.ts";
import type { Selection } from "./use-selection.ts";

/** Keys of this page: the table, the id, the editor, no selection. */
export function useRunKeys({ run, version }: Outline, { select, key }: Selection): void {
  const { view } = runRoute.useSearch();
  const show = useShow();
  const navigate = useNavigate();
  useShortcuts([
    { keys: "v", about: "Steps as a table", act: () => show({ view: view === "table" ? undefined : "table" }) },
    { keys: "c", about: "Copy the id", act: () => void copyText(String(run.id), `Copied the id ${run.id}.`) },
    {
      keys: "e",
      about: "Edit the workflow",
      act: () => {
        if (version !== null) void navigate({ to: "/library/$name/edit", params: { name: version.name } });
      },
    },
    {
      keys: "escape",
      about: "Select nothing",
      act: () => {
        if (key !== null) select(null);
      },
    },
  ]);
}
