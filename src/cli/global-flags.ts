// What every command takes.

/** Flags of every command. */
export const globalFlags = {
  store: {
    value: "FILE|postgres://…",
    about: "the database; STEPWELL_STORE, or .stepwell/stepwell.db",
    completes: "file",
  },
  url: { value: "URL", about: "a server, in place of a store; STEPWELL_URL" },
  token: { value: "TOKEN", about: "who you are there; better in STEPWELL_TOKEN, which others cannot see" },
  tools: { value: "FILE", about: "a module with tools of your own", completes: "file", isRepeated: true },
  mcp: { value: "FILE", about: "a file with MCP servers, such as .mcp.json", completes: "file", isRepeated: true },
  "files-folder": { value: "FOLDER", about: "where file.read and file.write may go", completes: "file" },
  "http-hosts": { value: "a,b", about: "hosts that http.request and feed.fetch may reach" },
  as: { value: "USER", about: "who acts; else the user of the system" },
  json: { about: "one JSON document on stdout" },
  jsonl: { about: "one JSON document on each line" },
  fields: { value: "a,b", about: "only these fields" },
  quiet: { short: "q", about: "ids only" },
  verbose: { short: "v", about: "say more" },
  "no-color": { about: "no colours" },
  tz: { value: "ZONE", about: "times are shown and read in this zone; else the machine's" },
  yes: { about: "do not ask, do it" },
  "no-input": { about: "never ask" },
  durability: {
    value: "full|fast",
    about: "full: what is acknowledged survives a power cut",
    choices: ["full", "fast"],
  },
  help: { short: "h", about: "how this command is used" },
} as const;

/** Where runs are kept unless somebody says otherwise. */
export const defaultStore = ".stepwell/stepwell.db";
