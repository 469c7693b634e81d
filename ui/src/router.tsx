// The addresses of the page. Each view is loaded when it is first looked at; what a view shows stands in its address.

import { createRootRoute, createRoute, createRouter } from "@tanstack/react-router";
import { NotFound } from "./views/not-found.tsx";
import { Broken } from "./views/broken.tsx";
import { Shell } from "./shell/shell.tsx";
import { lazyView } from "./lazy-view.ts";

type Texts<Name extends string> = { readonly [name in Name]?: string | undefined };

/** Search parameters are texts, and only those that a view knows. */
function texts<Name extends string>(
  ...names: readonly Name[]
): (search: { readonly [name: string]: unknown }) => Texts<Name> {
  return (search) => {
    const found: { [name in Name]?: string } = {};
    for (const name of names) {
      const value = search[name];
      if (typeof value === "string" && value !== "") found[name] = value;
    }
    return found;
  };
}

/** `start`: the dialog that starts a run is open, for this workflow; `*`: for any. */
const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  errorComponent: Broken,
  validateSearch: texts("start", "input"),
});

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyView(() => import("./views/home.tsx"), "Home"),
});

const runs = createRoute({
  getParentRoute: () => root,
  path: "/runs",
  // Some have two names: model/run-filter.ts knows them.
  validateSearch: texts(
    "status",
    "workflow",
    "flow",
    "trigger",
    "by",
    "since",
    "from",
    "until",
    "to",
    "id",
    "text",
    "field",
  ),
  component: lazyView(() => import("./views/runs.tsx"), "Runs"),
});

const run = createRoute({
  getParentRoute: () => root,
  path: "/runs/$id",
  validateSearch: texts("step", "row", "tab", "part", "view", "entries", "items", "compare"),
  component: lazyView(() => import("./views/run/run-page.tsx"), "RunPage"),
});

const inbox = createRoute({
  getParentRoute: () => root,
  path: "/inbox",
  validateSearch: texts("item", "tab"),
  component: lazyView(() => import("./views/inbox.tsx"), "Inbox"),
});

const library = createRoute({
  getParentRoute: () => root,
  path: "/library",
  validateSearch: texts("text", "tab"),
  component: lazyView(() => import("./views/library.tsx"), "Library"),
});

const workflow = createRoute({
  getParentRoute: () => root,
  path: "/library/$name",
  validateSearch: texts("tab", "version", "step"),
  component: lazyView(() => import("./views/workflow/workflow-page.tsx"), "WorkflowPage"),
});

const editor = createRoute({
  getParentRoute: () => root,
  path: "/library/$name/edit",
  validateSearch: texts("from"),
  component: lazyView(() => import("./views/editor/editor-page.tsx"), "EditorPage"),
});

const newWorkflow = createRoute({
  getParentRoute: () => root,
  path: "/new",
  validateSearch: texts("from"),
  component: lazyView(() => import("./views/editor/editor-page.tsx"), "NewWorkflowPage"),
});

const schedules = createRoute({
  getParentRoute: () => root,
  path: "/schedules",
  component: lazyView(() => import("./views/schedules.tsx"), "Schedules"),
});

/** `add`: the dialog that adds a server is open, for a program, an address or what is pasted. */
const tools = createRoute({
  getParentRoute: () => root,
  path: "/tools",
  validateSearch: (search) =>
    texts("tool", "text", "add")(search["add"] === "" ? { ...search, add: "program" } : search),
  component: lazyView(() => import("./views/tools.tsx"), "Tools"),
});

const system = createRoute({
  getParentRoute: () => root,
  path: "/system",
  component: lazyView(() => import("./views/system.tsx"), "System"),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  validateSearch: texts("tab", "user", "verb"),
  component: lazyView(() => import("./views/settings/settings.tsx"), "Settings"),
});

const docs = createRoute({
  getParentRoute: () => root,
  path: "/docs",
  component: lazyView(() => import("./views/docs/docs-page.tsx"), "DocsIndex"),
});

const docsPage = createRoute({
  getParentRoute: () => root,
  path: "/docs/$name",
  component: lazyView(() => import("./views/docs/docs-page.tsx"), "DocsPage"),
});

/** The two addresses that seed 003 names. */
const seedStart = createRoute({
  getParentRoute: () => root,
  path: "/workflow",
  component: lazyView(() => import("./views/seed-workflow.tsx"), "SeedWorkflow"),
});

const seedRuns = createRoute({
  getParentRoute: () => root,
  path: "/workflows",
  component: lazyView(() => import("./views/seed-workflows.tsx"), "SeedWorkflows"),
});

const login = createRoute({
  getParentRoute: () => root,
  path: "/login",
  validateSearch: texts("to"),
  component: lazyView(() => import("./views/login.tsx"), "Login"),
});

const tree = root.addChildren([
  home,
  runs,
  run,
  inbox,
  library,
  workflow,
  editor,
  newWorkflow,
  schedules,
  tools,
  system,
  settings,
  docs,
  docsPage,
  seedStart,
  seedRuns,
  login,
]);

export function createPageRouter() {
  return createRouter({
    routeTree: tree,
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const params = new URLSearchParams();
      for (const [name, value] of Object.entries(search))
        if (typeof value === "string" && value !== "") params.set(name, value);
      const text = params.toString();
      return text === "" ? "" : `?${text}`;
    },
    scrollRestoration: true,
    defaultPreload: "intent",
    // Inside of what stands around every page.
    defaultErrorComponent: Broken,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createPageRouter>;
  }
}
