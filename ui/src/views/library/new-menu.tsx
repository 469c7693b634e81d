import { useNavigate } from "@tanstack/react-router";
import { ChevronDown, ClipboardPaste, FilePlus2, FileUp, LayoutTemplate } from "lucide-react";
import { useMay } from "../../api/rights.ts";
import { Button } from "../../components/button.tsx";
import { Menu } from "../../components/menu.tsx";
import type { ImportFrom } from "./import-dialog.tsx";

/** Whoever may not save does not find it. */
export function NewMenu({ onImport }: { readonly onImport: (from: ImportFrom) => void }) {
  const navigate = useNavigate();
  if (!useMay("save")) return null;
  return (
    <Menu
      trigger={
        <Button look="primary" data-testid="new-workflow">
          New <ChevronDown size={16} strokeWidth={1.75} aria-hidden />
        </Button>
      }
      entries={[
        { label: "Blank", icon: FilePlus2, act: () => void navigate({ to: "/new" }) },
        {
          label: "From an example",
          icon: LayoutTemplate,
          act: () => void navigate({ to: "/library", search: { tab: "examples" } }),
        },
        { label: "Import a file", icon: FileUp, act: () => onImport("file") },
        { label: "Paste", icon: ClipboardPaste, act: () => onImport("paste") },
      ]}
    />
  );
}
