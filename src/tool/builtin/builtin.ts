// The tools that come with the engine. None needs a key; those that touch files or the network are off until whoever
// runs the engine says where they may go.

import type { Tool } from "../tool.ts";
import { createDemoTools } from "./demo.ts";
import { createFeedTool } from "./feed.ts";
import { createFileTools } from "./file.ts";
import { createHttpTool } from "./http.ts";
import { createGuardedFetch, type GuardedFetch } from "./http/guarded-fetch.ts";
import { createHostList } from "./http/host-list.ts";
import { createJsonTools } from "./json.ts";
import { createLogTools, type Voice } from "./log.ts";
import { createOutcomesTool } from "./outcomes.ts";
import { createTextTools } from "./text.ts";
import { createTimeTools } from "./time.ts";

export type BuiltinOptions = {
  /** Wall clock, in milliseconds. */
  readonly now: () => number;
  /** The one folder for `file.read` and `file.write`. */
  readonly filesFolder?: string;
  /** Hosts for `http.request` and `feed.fetch`: `api.example.com`, `*.example.com`, `private:localhost:3000`. */
  readonly httpHosts?: readonly string[];
  /** Where `log` is heard besides the run itself; with it there is `notify.inbox`. */
  readonly say?: Voice;
  /** In place of the network, for tests. */
  readonly fetch?: GuardedFetch;
};

/** `openEngine({ store, tools: createBuiltinTools({ now: Date.now, filesFolder: "./files" }) })` */
export function createBuiltinTools(options: BuiltinOptions): readonly Tool[] {
  const fetch = options.fetch ?? createGuardedFetch({ hosts: createHostList(options.httpHosts ?? []) });
  return [
    ...createDemoTools(),
    ...createTextTools(),
    ...createJsonTools(),
    ...createTimeTools(options.now),
    ...createLogTools(options.say),
    createOutcomesTool(),
    createFeedTool(fetch),
    ...createFileTools(options.filesFolder),
    createHttpTool(fetch),
  ];
}
