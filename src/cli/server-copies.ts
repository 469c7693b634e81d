// Copies of a schema on a server are the server's own affair: its programs make them better than we could, while
// everything runs.

import { StepwellError } from "../error.ts";
import { isServerAddress, splitSchema } from "../store/address.ts";
import { showStore } from "./view.ts";

/** For a command that copies files; says what to type instead. */
export function refuseServer(store: string, verb: "backup" | "restore"): void {
  if (!isServerAddress(store)) return;
  const { address, schema } = splitSchema(store);
  const shown = showStore(address);
  const hint =
    verb === "backup"
      ? `pg_dump -n ${schema} ${shown} > stepwell.sql; or, as a file of SQLite: stepwell migrate ${showStore(store)} copy.db --keep`
      : `while no engine runs: psql ${shown} -c 'drop schema ${schema} cascade'; psql ${shown} < stepwell.sql`;
  const message = `${showStore(store)} is on a server, which makes and restores copies with its own programs.`;
  throw new StepwellError("USAGE", message, { hint });
}
