import { Select } from "../../../components/field.tsx";
import type { Step } from "../../../model/run.ts";
import type { Visit } from "../../../model/run-view.ts";

type ChooserProps = { readonly visits: readonly Visit[]; readonly row: Step; readonly onRow: (row: Step) => void };

export function VisitChooser({ visits, row, onRow }: ChooserProps) {
  const choose = (visit: string): void => {
    const last = visits.find((each) => String(each.visit) === visit)?.tries.at(-1);
    if (last !== undefined) onRow(last);
  };
  return (
    <label className="flex items-center gap-2 text-table">
      <span className="shrink-0 text-text2">Visit</span>
      <Select value={String(row.visit)} onChange={(event) => choose(event.target.value)} className="w-auto">
        {visits.map(({ visit }) => (
          <option key={visit} value={visit}>
            {visit} of {visits.length}
          </option>
        ))}
      </Select>
    </label>
  );
}
