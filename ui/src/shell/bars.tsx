// Where one can go: at the side of a wide window, at the foot of a narrow one.

import { Link, useNavigate } from "@tanstack/react-router";
import { Ellipsis } from "lucide-react";
import { LiveDot } from "../components/live.tsx";
import { Menu } from "../components/menu.tsx";
import { places } from "./navigation.ts";

type BarProps = { readonly waiting: number; readonly path: string };

export function Sidebar({ isNarrow, waiting, path }: BarProps & { readonly isNarrow: boolean }) {
  return (
    <nav
      aria-label="Pages"
      className={`hidden shrink-0 flex-col gap-1 border-e border-border bg-surface p-3 md:flex ${isNarrow ? "w-14" : "w-52"}`}
    >
      <Link
        to="/"
        className="brand mb-2 flex min-h-8 items-center gap-2 px-2 font-semibold"
        aria-label="Stepwell, home"
      >
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

export function BottomBar({ waiting, path }: BarProps) {
  return (
    <nav aria-label="Pages" className="flex shrink-0 border-t border-border bg-surface md:hidden">
      {places
        .filter((loaded) => loaded.isMain)
        .map(({ to, label, icon: Icon }) => (
          <Link
            key={to}
            to={to}
            aria-current={isHere(path, to) ? "page" : undefined}
            className={`relative flex min-h-12 min-w-0 flex-1 flex-col items-center justify-center text-meta ${isHere(path, to) ? "text-accent" : "text-text2"}`}
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
      <More path={path} />
    </nav>
  );
}

/** What there is no room for. */
function More({ path }: { readonly path: string }) {
  const navigate = useNavigate();
  const others = places.filter(({ isMain }) => !isMain);
  const isThere = others.some(({ to }) => isHere(path, to));
  return (
    <Menu
      trigger={
        <button
          type="button"
          className={`flex min-h-12 min-w-0 flex-1 flex-col items-center justify-center text-meta ${isThere ? "text-accent" : "text-text2"}`}
        >
          <Ellipsis size={18} strokeWidth={1.75} aria-hidden />
          More
        </button>
      }
      entries={others.map(({ to, label, icon }) => ({ label, icon, act: () => void navigate({ to }) }))}
    />
  );
}
