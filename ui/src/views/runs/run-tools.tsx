// What can be done with the list as a whole.

import { Download, Rows3, Rows4 } from "lucide-react";
import { useState } from "react";
import type { Matching } from "../../api/run-list.ts";
import { Button } from "../../components/button.tsx";
import { Menu } from "../../components/menu.tsx";
import { saveFile } from "../../components/save-file.ts";
import { tellProblem } from "../../components/toasts.tsx";
import type { Run } from "../../model/run.ts";
import { runsToCsv, runsToJson } from "../../model/table-file.ts";
import { prefer, usePreference } from "../../preferences.ts";

type ExportProps = {
  /** What is to be exported, looked up when it is asked for. */
  readonly read: () => Promise<Matching>;
  /** What it is called. */
  readonly what: string;
  readonly isSmall?: boolean;
};

export function ExportMenu({ read, what, isSmall = false }: ExportProps) {
  const [isBusy, setBusy] = useState(false);
  const save = async (name: string, type: string, write: (runs: readonly Run[]) => string): Promise<void> => {
    setBusy(true);
    try {
      const { runs, isCut } = await read();
      saveFile(name, type, write(runs));
      if (isCut) tellProblem(showCut(runs.length));
    } catch (error) {
      tellProblem(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Menu
      trigger={
        <Button
          isSmall={isSmall}
          look={isSmall ? "plain" : "quiet"}
          icon={Download}
          isBusy={isBusy}
          aria-label={`Export ${what}`}
          title={`Export ${what}`}
        >
          {isSmall ? "Export" : undefined}
        </Button>
      }
      entries={[
        { label: `Export ${what} as CSV`, act: () => void save("runs.csv", "text/csv", runsToCsv) },
        { label: `Export ${what} as JSON`, act: () => void save("runs.json", "application/json", runsToJson) },
      ]}
    />
  );
}

function showCut(count: number): string {
  return `The file holds the newest ${count.toLocaleString("en")} of them; there are more. Look for fewer, such as since:7d.`;
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
