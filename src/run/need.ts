// Which rows a need means, among rows at hand: those on disk and those on their way to it.

import type { Need } from "./decision.ts";
import type { Row, RowId } from "./model.ts";
import { forkOf } from "./values.ts";

export function pickNeeded(need: Need, rows: ReadonlyMap<RowId, Row>): readonly Row[] {
  switch (need.kind) {
    case "row": {
      const row = rows.get(need.row);
      return row === undefined ? [] : [row];
    }
    case "arrivals":
      return pick(rows, (row) => row.arrived && forkOf(row.scope) === need.fork);
    case "items":
      return pick(rows, (row) => row.serves === need.each && row.role === "item" && row.finishedNo !== null);
    case "ends":
      return pick(rows, (row) => row.ended !== null);
    case "undo":
      return newestUndoable(rows, need.below);
  }
}

function pick(rows: ReadonlyMap<RowId, Row>, isWanted: (row: Row) => boolean): readonly Row[] {
  return [...rows.values()].filter(isWanted);
}

function newestUndoable(rows: ReadonlyMap<RowId, Row>, below: number | null): readonly Row[] {
  let newest: Row | undefined;
  for (const row of rows.values()) {
    const finishedNo = row.finishedNo ?? 0;
    if (!row.isUndoable || (below !== null && finishedNo >= below)) continue;
    if (newest === undefined || finishedNo > (newest.finishedNo ?? 0)) newest = row;
  }
  return newest === undefined ? [] : [newest];
}
