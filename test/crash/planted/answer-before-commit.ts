// A planted fault, loaded before the subject: a batch is said to be on the server while it is still to be sent, so that
// tools are called and callers answered first. Only the harness's control uses it.

import { plant } from "./postgres-hooks.ts";

plant("writer", new URL("early-writer.ts", import.meta.url).href);
