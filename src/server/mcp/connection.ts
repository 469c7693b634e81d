// What the methods of one connection work with.

import type { Server } from "@modelcontextprotocol/server";
import type { Caller } from "./caller.ts";
import type { House, SeenRun } from "./house.ts";
import type { TaskNews } from "./task-news.ts";
import type { LegacyTask } from "./task-view.ts";

export type Connection = {
  readonly server: Server;
  readonly house: House;
  readonly caller: Caller;
  /** Whether questions can be pushed to the client: it is of 2025-11-25, and has declared that it shows them. */
  readonly isAskable: () => boolean;
  /** A task as 2025-11-25 has it. */
  readonly view: (seen: SeenRun) => LegacyTask;
  /** Of a client of 2025-11-25 that can be told things at any time; null: it is told within what it asks. */
  readonly news: TaskNews | null;
};
