// What stands around every page: where one can go, search, the button that starts a run, how the line is, the theme.

import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useRouterState, useSearch } from "@tanstack/react-router";
import { CircleHelp, MonitorCog, Moon, PanelLeft, Play, Search, Sun } from "lucide-react";
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { inboxCountQuery } from "../api/inbox.ts";
import { meQuery } from "../api/queries.ts";
import { Problem } from "../api/request.ts";
import { Button } from "../components/button.tsx";
import { LiveDot, useLive, useLiveDesk } from "../components/live.tsx";
import { Menu } from "../components/menu.tsx";
import { Toasts } from "../components/toasts.tsx";
import { prefer, usePreference } from "../preferences.ts";
import { markFavicon } from "./favicon.ts";
import { places } from "./navigation.ts";
import { useShortcuts, type Shortcut } from "./shortcuts.ts";
import { useStart } from "./use-start.ts";

const Palette = lazy(() => import("./palette.tsx").then(({ Palette: component }) => ({ default: component })));
const ShortcutSheet = lazy(() =>
  import("./shortcut-sheet.tsx").then(({ ShortcutSheet: component }) => ({ default: component })),
);
const StartDialog = lazy(() =>
  import("../views/start/start-dialog.tsx").then(({ StartDialog: component }) => ({ default: component })),
);

export function Shell() {
  const me = useQuery(meQuery);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const address = useRouterState({ select: ({ location }) => location.href });
  const navigate = useNavigate();
  const isStranger = me.error instanceof Problem && me.error.status === 401;
  useEffect(() => {
    if (isStranger && path !== "/login") void navigate({ to: "/login", search: { to: address } });
  }, [isStranger, path, address, navigate]);
  if (path === "/login")
    return (
      <>
        <Outlet />
        <Toasts />
      </>
    );
  return <Frame path={path} />;
}

function Frame({ path }: { readonly path: string }) {
  const [overlay, setOverlay] = useState<"palette" | "shortcuts" | null>(null);
  const inbox = useQuery(inboxCountQuery);
  const isNarrow = usePreference("sidebar", "wide") === "narrow";
  const live = useLive();
  const waiting = inbox.data ?? 0;
  useShortcuts(useShellShortcuts(setOverlay));
  useEffect(() => markFavicon({ waiting, failed: live.failedSince }), [waiting, live.failedSince]);
  return (
    <div className="flex h-dvh flex-col">
      <a href="#main" className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-surface focus:p-3">
        Skip to content
      </a>
      <div className="flex min-h-0 flex-1">
        <Sidebar isNarrow={isNarrow} waiting={waiting} path={path} />
        <div className="flex min-w-0 flex-1 flex-col">
          <TopBar openPalette={() => setOverlay("palette")} openShortcuts={() => setOverlay("shortcuts")} />
          <OfflineBanner />
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
      <Suspense fallback={null}>
        {overlay === "palette" ? <Palette onClose={() => setOverlay(null)} /> : null}
        {overlay === "shortcuts" ? <ShortcutSheet onClose={() => setOverlay(null)} /> : null}
        <Starting />
      </Suspense>
      <Toasts />
    </div>
  );
}

/** The dialog that starts a run stands in the address, so that it can be linked to. */
function Starting() {
  const { start, input } = useSearch({ from: "__root__" });
  const navigate = useNavigate();
  if (start === undefined) return null;
  const close = (): void =>
    void navigate({ to: ".", search: (old) => ({ ...old, start: undefined, input: undefined }) });
  return <StartDialog name={start} input={input ?? null} onClose={close} />;
}

function useShellShortcuts(open: (overlay: "palette" | "shortcuts") => void): readonly Shortcut[] {
  const navigate = useNavigate();
  const start = useStart();
  const desk = useLiveDesk();
  const narrow = usePreference("sidebar", "wide");
  return useMemo(
    () => [
      { keys: "mod+k", about: "Search and do", act: () => open("palette") },
      { keys: "/", about: "Search", act: () => open("palette") },
      { keys: "?", about: "Show the keys", act: () => open("shortcuts") },
      { keys: "n", about: "Run a workflow", act: () => start("*") },
      { keys: "p", about: "Pause showing changes", act: () => desk.togglePause() },
      { keys: "[", about: "Fold the sidebar", act: () => prefer("sidebar", narrow === "narrow" ? "wide" : "narrow") },
      ...places.map(({ to, label, key }) => ({
        keys: `g ${key}`,
        about: `Go to ${label}`,
        act: () => void navigate({ to }),
      })),
    ],
    // `start` is made anew each time, and does the same.
    [desk, narrow, navigate, open],
  );
}

type BarProps = { readonly waiting: number; readonly path: string };

function Sidebar({ isNarrow, waiting, path }: BarProps & { readonly isNarrow: boolean }) {
  return (
    <nav
      aria-label="Pages"
      className={`hidden shrink-0 flex-col gap-1 border-e border-border bg-surface p-3 md:flex ${isNarrow ? "w-14" : "w-52"}`}
    >
      <Link to="/" className="mb-2 flex min-h-8 items-center gap-2 px-2 font-semibold" aria-label="Stepwell, home">
        <img src="/favicon.svg" alt="" width={18} height={18} />
        {isNarrow ? null : "Stepwell"}
      </Link>
      {places.map(({ to, label, icon: Icon }) => (
        <Link
          key={to}
          to={to}
          aria-label={isNarrow ? label : undefined}
          aria-current={isHere(path, to) ? "page" : undefined}
          title={isNarrow ? label : undefined}
          className={`flex min-h-8 items-center gap-2.5 rounded-control px-2 hover:bg-sunken ${isHere(path, to) ? "bg-sunken text-text" : "text-text2"}`}
        >
          <Icon size={16} strokeWidth={1.75} aria-hidden />
          {isNarrow ? null : <span className="flex-1">{label}</span>}
          {to === "/inbox" ? <Count waiting={waiting} /> : null}
        </Link>
      ))}
      <div className="mt-auto flex items-center gap-1">
        <LiveDot />
      </div>
    </nav>
  );
}

function isHere(path: string, to: string): boolean {
  return to === "/" ? path === "/" : path === to || path.startsWith(`${to}/`);
}

function Count({ waiting }: { readonly waiting: number }) {
  if (waiting === 0) return null;
  return (
    <span
      data-token="waiting"
      data-testid="inbox-count"
      className="status min-w-5 rounded-full px-1.5 text-center text-meta font-medium"
    >
      {waiting > 99 ? "99+" : waiting}
      <span className="sr-only"> waiting</span>
    </span>
  );
}

function BottomBar({ waiting, path }: BarProps) {
  return (
    <nav aria-label="Pages" className="flex shrink-0 border-t border-border bg-surface md:hidden">
      {places
        .filter(({ isMain }) => isMain)
        .map(({ to, label, icon: Icon }) => (
          <Link
            key={to}
            to={to}
            aria-current={isHere(path, to) ? "page" : undefined}
            className={`relative flex min-h-12 flex-1 flex-col items-center justify-center text-meta ${isHere(path, to) ? "text-accent" : "text-text2"}`}
          >
            <Icon size={18} strokeWidth={1.75} aria-hidden />
            {label}
            {to === "/inbox" && waiting > 0 ? (
              <span className="absolute top-0.5 right-1/2 translate-x-6">
                <Count waiting={waiting} />
              </span>
            ) : null}
          </Link>
        ))}
    </nav>
  );
}

function TopBar({
  openPalette,
  openShortcuts,
}: {
  readonly openPalette: () => void;
  readonly openShortcuts: () => void;
}) {
  const start = useStart();
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
      <button
        type="button"
        onClick={openPalette}
        className="flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-control border border-border bg-sunken px-2.5 text-start text-text2 hover:border-strong md:max-w-80"
      >
        <Search size={16} strokeWidth={1.75} aria-hidden className="shrink-0" />
        <span className="min-w-0 flex-1 truncate">Search or do…</span>
        <kbd className="hidden text-meta md:inline">Ctrl K</kbd>
      </button>
      <div className="ms-auto flex items-center gap-1">
        <span className="md:hidden">
          <LiveDot />
        </span>
        <span className="hidden sm:block">
          <Button look="quiet" icon={CircleHelp} aria-label="Keys" title="Keys (?)" onClick={openShortcuts} />
        </span>
        <ThemeMenu />
        <UserName />
        <Button look="primary" icon={Play} onClick={() => start("*")} title="Run a workflow (N)">
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

function OfflineBanner() {
  const { line } = useLive();
  if (line !== "offline") return null;
  return (
    <div role="alert" data-token="failed" className="status shrink-0 px-4 py-2 text-table">
      The server does not answer. What is shown may be old; it is asked again and again.
    </div>
  );
}
