// Where a clerk is asked: what its verbs have in their hands, in the name of whoever asks.

import type { Right } from "../access/permission.ts";
import type { Json } from "../flow/json.ts";
import type { Store } from "../store/store.ts";
import type { ClerkName } from "./clerk.ts";
import type { Clock } from "./clock.ts";

export interface ClerkWindow {
  readonly store: Store;
  readonly clock: Clock;
  /** Through the door of the owner, who checks the right to it. `by`: in whose name, where the program says so. */
  ask(clerk: ClerkName, ask: Json, by?: string): Promise<Json>;
  /** As it may go through the file, where a guest's message lies until the owner has read it; not where one only reads. */
  seal?(text: string, name: string): Json;
  /** Nobody was named yet, as the owner knows without asking the store; undefined: this process is not the owner. */
  isOpen?(): boolean | undefined;
  /** For what is only read: throws when the asker may not. */
  allow(right: Right): Promise<void>;
}
