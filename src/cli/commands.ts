// Every command there is, in the order in which help shows them. A new one is a file in commands/ and a line here; it is
// loaded when it is needed. Names of two words make a family: `workflow save`, `workflow list`.

import type { Group, Listed } from "./command.ts";

export const groups: readonly Group[] = [
  {
    title: "Run and look",
    commands: [
      {
        name: "up",
        about: "engine, service and page; what stepwell alone does",
        load: () => import("./commands/up.ts"),
      },
      { name: "run", about: "start a flow and follow it to its end", load: () => import("./commands/run.ts") },
      { name: "list", about: "runs, newest first", load: () => import("./commands/list.ts") },
      { name: "ps", about: "runs that have not ended", load: () => import("./commands/ps.ts") },
      { name: "show", about: "one run: summary, steps, error", load: () => import("./commands/show.ts") },
      { name: "watch", about: "follow a run; work on it if nobody does", load: () => import("./commands/watch.ts") },
      { name: "history", about: "what happened in a run, in order", load: () => import("./commands/history.ts") },
      { name: "rate", about: "say what you think of a run or a step", load: () => import("./commands/rate.ts") },
      { name: "outcomes", about: "what became of calls, newest first", load: () => import("./commands/outcomes.ts") },
    ],
  },
  {
    title: "Decide",
    commands: [
      { name: "inbox", about: "what waits for a person, and how to answer", load: () => import("./commands/inbox.ts") },
      { name: "approve", about: "say yes at a gate", load: () => import("./commands/approve.ts") },
      { name: "reject", about: "say no", load: () => import("./commands/reject.ts") },
      { name: "answer", about: "give a gate another answer", load: () => import("./commands/answer.ts") },
      { name: "ready", about: "let a step that waits go on now", load: () => import("./commands/ready.ts") },
      { name: "resolve", about: "say what became of an uncertain step", load: () => import("./commands/resolve.ts") },
      { name: "skip", about: "let a step that is held go by", load: () => import("./commands/skip.ts") },
      { name: "choose", about: "say where a held step goes on", load: () => import("./commands/choose.ts") },
      { name: "fire", about: "fire a transition of a machine", load: () => import("./commands/fire.ts") },
      { name: "signal", about: "send a signal to a run", load: () => import("./commands/signal.ts") },
      { name: "emit", about: "tell every run that waits for an event", load: () => import("./commands/emit.ts") },
    ],
  },
  {
    title: "Stop and start again",
    commands: [
      { name: "cancel", about: "cancel runs, where their flows allow it", load: () => import("./commands/cancel.ts") },
      { name: "pause", about: "start nothing new in these runs", load: () => import("./commands/pause.ts") },
      { name: "resume", about: "let paused runs go on", load: () => import("./commands/resume.ts") },
      { name: "retry", about: "a new run of what failed", load: () => import("./commands/retry.ts") },
      { name: "rerun", about: "a new run, from the start or a step", load: () => import("./commands/rerun.ts") },
      { name: "fork", about: "the same with another input", load: () => import("./commands/fork.ts") },
    ],
  },
  {
    title: "Flows",
    commands: [
      {
        name: "validate",
        about: "say what is wrong with flows, and mend it",
        load: () => import("./commands/validate.ts"),
      },
      { name: "graph", about: "draw a flow", load: () => import("./commands/graph.ts") },
      { name: "test", about: "play the cases of test files", load: () => import("./commands/test.ts") },
      {
        name: "schema flow",
        about: "the JSON Schema of flows, for editors",
        load: () => import("./commands/schema-flow.ts"),
      },
      {
        name: "schema config",
        about: "the JSON Schema of stepwell.config.json",
        load: () => import("./commands/schema-config.ts"),
      },
      { name: "examples", about: "check and draw the examples", load: () => import("./commands/examples.ts") },
      {
        name: "demo",
        about: "watch the demo flows run, and survive a crash",
        load: () => import("./commands/demo.ts"),
      },
    ],
  },
  {
    title: "Saved workflows",
    commands: [
      {
        name: "workflow save",
        about: "keep flows under their names, in versions",
        load: () => import("./commands/workflow-save.ts"),
      },
      { name: "workflow list", about: "what is saved", load: () => import("./commands/workflow-list.ts") },
      {
        name: "workflow show",
        about: "one workflow, as it was written",
        load: () => import("./commands/workflow-show.ts"),
      },
      {
        name: "workflow versions",
        about: "its versions, newest first",
        load: () => import("./commands/workflow-versions.ts"),
      },
      {
        name: "workflow diff",
        about: "what changed between two versions",
        load: () => import("./commands/workflow-diff.ts"),
      },
      {
        name: "workflow restore",
        about: "make an older version the newest",
        load: () => import("./commands/workflow-restore.ts"),
      },
      { name: "workflow enable", about: "let it be started", load: () => import("./commands/workflow-enable.ts") },
      {
        name: "workflow disable",
        about: "do not let it be started",
        load: () => import("./commands/workflow-disable.ts"),
      },
      {
        name: "workflow delete",
        about: "take it off the list; versions stay",
        load: () => import("./commands/workflow-delete.ts"),
      },
      {
        name: "workflow export",
        about: "one file that stands for itself",
        load: () => import("./commands/workflow-export.ts"),
      },
      {
        name: "workflow import",
        about: "bring such a file in, disabled",
        load: () => import("./commands/workflow-import.ts"),
      },
      {
        name: "workflow clone",
        about: "the same under another name, disabled",
        load: () => import("./commands/workflow-clone.ts"),
      },
    ],
  },
  {
    title: "Tools",
    commands: [
      { name: "tool list", about: "what steps can call", load: () => import("./commands/tool-list.ts") },
      { name: "tool show", about: "what a tool takes and gives", load: () => import("./commands/tool-show.ts") },
      {
        name: "tool call",
        about: "call a tool once, through the engine",
        load: () => import("./commands/tool-call.ts"),
      },
      {
        name: "server list",
        about: "MCP servers that bring tools, and how they are",
        load: () => import("./commands/server-list.ts"),
      },
      {
        name: "server test",
        about: "connect, and ask for their tools",
        load: () => import("./commands/server-test.ts"),
      },
      { name: "server restart", about: "connect to one anew", load: () => import("./commands/server-restart.ts") },
      {
        name: "server add",
        about: "one more, by its program or address",
        load: () => import("./commands/server-add.ts"),
      },
      {
        name: "server remove",
        about: "take one away that was added",
        load: () => import("./commands/server-remove.ts"),
      },
      {
        name: "lock show",
        about: "which tools of servers are agreed on",
        load: () => import("./commands/lock-show.ts"),
      },
      { name: "lock diff", about: "what has become of them since", load: () => import("./commands/lock-diff.ts") },
      { name: "lock approve", about: "agree to what one has become", load: () => import("./commands/lock-approve.ts") },
      {
        name: "mcp",
        about: "our workflows as tools, for a program that starts us",
        load: () => import("./commands/mcp.ts"),
      },
      {
        name: "mcp config",
        about: "what makes another program find our workflows",
        load: () => import("./commands/mcp-config.ts"),
      },
      {
        name: "breaker list",
        about: "tools that have failed, and until when they rest",
        load: () => import("./commands/breaker-list.ts"),
      },
      { name: "breaker reset", about: "call a tool again, now", load: () => import("./commands/breaker-reset.ts") },
    ],
  },
  {
    title: "Who may do what",
    commands: [
      {
        name: "user list",
        about: "users and groups, and what they may do",
        load: () => import("./commands/user-list.ts"),
      },
      {
        name: "user save",
        about: "make a user or a group, or say anew what it may",
        load: () => import("./commands/user-save.ts"),
      },
      { name: "user grant", about: "one permission more", load: () => import("./commands/user-grant.ts") },
      { name: "user revoke", about: "one permission less", load: () => import("./commands/user-revoke.ts") },
      {
        name: "user password",
        about: "with which a user logs in",
        load: () => import("./commands/user-password.ts"),
      },
      { name: "user remove", about: "take a user or a group away", load: () => import("./commands/user-remove.ts") },
      {
        name: "token create",
        about: "a token for a program; shown once",
        load: () => import("./commands/token-create.ts"),
      },
      { name: "token list", about: "tokens, without their texts", load: () => import("./commands/token-list.ts") },
      {
        name: "token revoke",
        about: "let nobody in with a token any more",
        load: () => import("./commands/token-revoke.ts"),
      },
      { name: "audit", about: "who has changed what, newest first", load: () => import("./commands/audit.ts") },
      { name: "secret set", about: "keep a value that only tools see", load: () => import("./commands/secret-set.ts") },
      { name: "secret list", about: "names of secrets, never values", load: () => import("./commands/secret-list.ts") },
      { name: "secret remove", about: "forget a secret", load: () => import("./commands/secret-remove.ts") },
    ],
  },
  {
    title: "The store",
    commands: [
      { name: "doctor", about: "is everything as it should be?", load: () => import("./commands/doctor.ts") },
      { name: "backup", about: "copy the store while others use it", load: () => import("./commands/backup.ts") },
      { name: "restore", about: "put a copy in the store's place", load: () => import("./commands/restore.ts") },
      { name: "remove", about: "remove runs that have ended", load: () => import("./commands/remove.ts") },
      { name: "prune", about: "remove old runs that have ended", load: () => import("./commands/prune.ts") },
      { name: "migrate", about: "move a store to another place or kind", load: () => import("./commands/migrate.ts") },
    ],
  },
  {
    title: "This program",
    commands: [
      { name: "completion", about: "the completion script of a shell", load: () => import("./commands/completion.ts") },
      { name: "help", about: "this, or more about a command", load: () => import("./commands/help.ts") },
      { name: "version", about: "the version", load: () => import("./commands/version.ts") },
    ],
  },
];

export const commands: ReadonlyMap<string, Listed> = new Map(
  groups.flatMap((group) => group.commands.map((listed) => [listed.name, listed])),
);
