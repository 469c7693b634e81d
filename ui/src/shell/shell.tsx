// What stands around every page: where one can go, search, the button that starts a run, how the line is, the theme.

import { useQuery } from "@tanstack/react-query";
import { Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { CircleHelp, MonitorCog, Moon, PanelLeft, Play, Search, Sun } from "lucide-react";
import { Suspense, useEffect, useMemo, useState } from "react";
import { meQuery } from "../api/queries.ts";
import { Problem } from "../api/request.ts";
import { useInboxCounts, useMay, useRefused } from "../api/rights.ts";
import { Button } from "../components/button.tsx";
import { LiveDot, useLive, useLiveDesk } from "../components/live.tsx";
import { Menu } from "../components/menu.tsx";
import { Toasts } from "../components/toasts.tsx";
import { workflowAt } from "../model/crumbs.ts";
import { mayDo } from "../model/right.ts";
import { showClockTime } from "../model/time.ts";
import { prefer, usePreference } from "../preferences.ts";
import { Breadcrumb } from "./breadcrumb.tsx";
import { BottomBar, Sidebar } from "./bars.tsx";
import { markFavicon } from "./favicon.ts";
import { places } from "./navigation.ts";
import { Overlays, type Overlay } from "./overlays.tsx";
import { useShortcuts, type Shortcut } from "./shortcuts.ts";
import { useStart } from "./use-start.ts";

export function Shell() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isLogin = path === "/login";
  const me = useQuery({ ...meQuery, enabled: !isLogin });
  const desk = useLiveDesk();
  // Nobody is told anything before it is known who they are; where the server does not answer, the line says so.
  const isStranger = me.error instanceof Problem && me.error.status === 401;
  // Who may not see runs is told of none, and has no line that could be down.
  const isKnown = me.data !== undefined && mayDo(me.data, "read");
  const isOpen = !isLogin && (isKnown || (me.data === undefined && me.error !== null && !isStranger));
  useEffect(() => (isOpen ? desk.open() : undefined), [desk, isOpen]);
  if (isLogin)
    return (
      <>
        <Outlet />
        <Toasts />
      </>
    );
  return <Frame path={path} />;
}

function Frame({ path }: { readonly path: string }) {
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const isNarrow = usePreference("sidebar", "wide") === "narrow";
  const live = useLive();
  const waiting = useInboxCounts().yours;
  useShortcuts(useShellShortcuts(path, setOverlay));
  useEffect(() => markFavicon({ waiting, failed: live.failedSince }), [waiting, live.failedSince]);
  useLooking(path, live.failedSince);
  const isPaused = live.line === "paused";
  useEffect(() => {
    document.documentElement.toggleAttribute("data-paused", isPaused);
  }, [isPaused]);
  return (
    <div className="flex h-dvh flex-col">
      <a href="#main" className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-surface focus:p-3">
        Skip to content
      </a>
      <div className="flex min-h-0 flex-1">
        <Sidebar isNarrow={isNarrow} waiting={waiting} path={path} />
        <div className="flex min-w-0 flex-1 flex-col">
          <TopBar path={path} openPalette={() => setOverlay("palette")} openShortcuts={() => setOverlay("shortcuts")} />
          <LineBanner />
          <div
            className="flex min-h-0 flex-1 flex-col overflow-y-auto"
            data-testid="scroll"
            data-scroll-restoration-id="main"
          >
            <Suspense fallback={null}>
              <Outlet />
            </Suspense>
          </div>
        </div>
      </div>
      <BottomBar waiting={waiting} path={path} />
      <Overlays overlay={overlay} onClose={() => setOverlay(null)} />
      <Toasts />
    </div>
  );
}

/** What failed is no news any more once somebody has seen it: its run, or all that failed. */
function useLooking(path: string, failed: number): void {
  const desk = useLiveDesk();
  const status = useRouterState({ select: ({ location }) => (location.search as { status?: string }).status });
  const run = /^\/runs\/(\d+)$/.exec(path)?.[1];
  useEffect(() => {
    if (failed === 0) return;
    if (run !== undefined) desk.look(Number(run));
    else if (path === "/runs" && status === "failed") desk.look("failed");
  }, [desk, failed, run, path, status]);
}

function useShellShortcuts(path: string, open: (overlay: Overlay) => void): readonly Shortcut[] {
  const navigate = useNavigate();
  const start = useStart();
  const mayStart = useMay("start");
  const desk = useLiveDesk();
  const narrow = usePreference("sidebar", "wide");
  return useMemo(
    () => [
      { keys: "mod+k", about: "Search and do", act: () => open("palette") },
      { keys: "/", about: "Search", act: () => open("palette") },
      { keys: "?", about: "Show the keys", act: () => open("shortcuts") },
      { keys: "n", about: "Run a workflow", act: () => start(workflowAt(path) ?? "*") },
      { keys: "p", about: "Pause showing changes", act: () => desk.togglePause() },
      { keys: "[", about: "Fold the sidebar", act: () => prefer("sidebar", narrow === "narrow" ? "wide" : "narrow") },
      ...places.map(({ to, label, key }) => ({
        keys: `g ${key}`,
        about: `Go to ${label}`,
        act: () => void navigate({ to }),
      })),
    ],
    // `start` is made anew each time, and does the same as long as they may.
    [desk, narrow, navigate, open, mayStart, path],
  );
}

function TopBar({
  path,
  openPalette,
  openShortcuts,
}: {
  readonly path: string;
  readonly openPalette: () => void;
  readonly openShortcuts: () => void;
}) {
  const start = useStart();
  const refused = useRefused("start");
  const narrow = usePreference("sidebar", "wide");
  return (
    <header className="flex shrink-0 items-center gap-2 border-b border-border bg-surface px-3 py-1.5">
      <span className="hidden md:block">
        <Button
          look="quiet"
          icon={PanelLeft}
          aria-label="Fold the sidebar"
          title="Fold the sidebar ([)"
          onClick={() => prefer("sidebar", narrow === "narrow" ? "wide" : "narrow")}
        />
      </span>
      <Breadcrumb path={path} />
      <button
        type="button"
        onClick={openPalette}
        className="flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-control border border-border bg-sunken px-2.5 text-start text-text2 hover:border-strong md:ms-auto md:max-w-80"
      >
        <Search size={16} strokeWidth={1.75} aria-hidden className="shrink-0" />
        <span className="min-w-0 flex-1 truncate max-[380px]:sr-only">Search or do…</span>
        <kbd className="hidden text-meta whitespace-nowrap lg:inline">Ctrl K</kbd>
      </button>
      <div className="flex items-center gap-1 max-md:ms-auto">
        <span className="md:hidden">
          <LiveDot />
        </span>
        <span className="hidden sm:block">
          <Button look="quiet" icon={CircleHelp} aria-label="Keys" title="Keys (?)" onClick={openShortcuts} />
        </span>
        <ThemeMenu />
        <UserName />
        <Button
          look="primary"
          icon={Play}
          disabled={refused !== undefined}
          title={refused ?? "Run a workflow (N)"}
          onClick={() => start(workflowAt(path) ?? "*")}
        >
          Run
        </Button>
      </div>
    </header>
  );
}

function ThemeMenu() {
  const theme = usePreference("theme", "system");
  const icon = theme === "dark" ? Moon : theme === "light" ? Sun : MonitorCog;
  return (
    <Menu
      trigger={<Button look="quiet" icon={icon} aria-label={`Theme: ${theme}`} />}
      entries={[
        { label: "As the system has it", icon: MonitorCog, act: () => prefer("theme", "system") },
        { label: "Light", icon: Sun, act: () => prefer("theme", "light") },
        { label: "Dark", icon: Moon, act: () => prefer("theme", "dark") },
      ]}
    />
  );
}

function UserName() {
  const { data } = useQuery(meQuery);
  if (data === undefined) return null;
  return (
    <span
      className="hidden max-w-32 truncate px-2 text-meta text-text2 lg:inline"
      title={data.how === "local" ? "On this machine, without a login" : undefined}
    >
      {data.user}
    </span>
  );
}

function LineBanner() {
  const desk = useLiveDesk();
  const { line, pausedAt } = useLive();
  const refused = useRefused("read");
  if (refused !== undefined)
    return (
      <div
        role="status"
        data-token="waiting"
        data-testid="may-not-read"
        className="status shrink-0 px-4 py-2 text-table"
      >
        {refused}
      </div>
    );
  if (pausedAt !== null)
    return (
      <div
        role="status"
        data-token="paused"
        data-testid="paused"
        className="status flex shrink-0 flex-wrap items-center gap-x-2 px-4 py-1 text-table"
      >
        <span>
          Paused at <span className="mono">{showClockTime(pausedAt)}</span>: what is shown does not change.
        </span>
        <Button isSmall onClick={() => desk.togglePause()} title="Go on showing changes (P)">
          Resume
        </Button>
      </div>
    );
  if (line !== "offline") return null;
  return (
    <div role="alert" data-token="failed" className="status shrink-0 px-4 py-2 text-table">
      The server does not answer. What is shown may be old; trying again every few seconds.
    </div>
  );
}
