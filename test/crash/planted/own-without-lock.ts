// A planted fault, loaded before the subject: an ownership that takes no lock and writes whatever the epoch is. Only the
// harness's control uses it.

import { plant } from "./postgres-hooks.ts";

plant("lock", new URL("open-lock.ts", import.meta.url).href);
plant("writer", new URL("careless-writer.ts", import.meta.url).href);
