// What the demo of a service can do, through the service.

import { objectIn, fieldIn, numberIn, take } from "./fields.ts";
import type { Wire } from "./wire.ts";

export type RemoteDemo = {
  /** The run in the middle of which the service is killed, in a moment. */
  readonly crash: () => Promise<number>;
  readonly clean: () => Promise<{ readonly removed: readonly string[]; readonly kept: readonly string[] }>;
};

export function createDemo(wire: Wire): RemoteDemo {
  return {
    crash: async () => {
      // Once: each would pull the plug again.
      const ask = { method: "POST", path: "api/demo/crash", body: {}, repeat: "once" } as const;
      return numberIn(objectIn(fieldIn(objectIn((await wire.send(ask)).body), "run")), "id");
    },
    clean: async () => {
      const told = objectIn((await wire.send({ method: "POST", path: "api/demo/clean", body: {} })).body);
      return take<Awaited<ReturnType<RemoteDemo["clean"]>>>(told, ["removed", "kept"]);
    },
  };
}
