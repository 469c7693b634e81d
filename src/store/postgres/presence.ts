// Whether a schema with a store of ours is there; none is made.

import { openSession, openSettings } from "./connection.ts";
import { toStoreError } from "./problem.ts";

export async function hasSchema(address: string): Promise<boolean> {
  const settings = openSettings(address);
  const session = await openSession(settings, "read");
  try {
    const [[found] = []] = await session.query(
      "select to_regclass(quote_ident($1) || '.schema_migrations') is not null",
      [settings.schema],
    );
    return found === true;
  } catch (error) {
    throw toStoreError(error, settings.name);
  } finally {
    await session.end();
  }
}
