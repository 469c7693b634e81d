// What can be done with the list as a whole.

import { Download, Rows3, Rows4 } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { Menu } from "../../components/menu.tsx";
import { saveFile } from "../../components/save-file.ts";
import type { Run } from "../../model/run.ts";
import { runsToCsv, runsToJson } from "../../model/table-file.ts";
import { prefer, usePreference } from "../../preferences.ts";

/** `read`: what is to be exported, looked up when it is asked for; `what`: what it is called. */
export function ExportMenu({
  read,
  what,
  isSmall = false,
}: {
  readonly read: () => readonly Run[];
  readonly what: string;
  readonly isSmall?: boolean;
}) {
  return (
    <Menu
      trigger={
        <Button
          isSmall={isSmall}
          look={isSmall ? "plain" : "quiet"}
          icon={Download}
          aria-label={`Export ${what}`}
          title={`Export ${what}`}
        >
          {isSmall ? "Export" : undefined}
        </Button>
      }
      entries={[
        { label: `Export ${what} as CSV`, act: () => saveFile("runs.csv", "text/csv", runsToCsv(read())) },
        { label: `Export ${what} as JSON`, act: () => saveFile("runs.json", "application/json", runsToJson(read())) },
      ]}
    />
  );
}

export function DensityButton() {
  const isCompact = usePreference("density", "comfortable") === "compact";
  return (
    <Button
      look="quiet"
      icon={isCompact ? Rows4 : Rows3}
      aria-pressed={isCompact}
      aria-label="Compact rows"
      title={isCompact ? "More room between rows" : "More rows"}
      onClick={() => prefer("density", isCompact ? "comfortable" : "compact")}
    />
  );
}
