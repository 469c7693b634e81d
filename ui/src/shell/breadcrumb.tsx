// The way to the page that is shown. A narrow window has room for one step of it: back.

import { Link } from "@tanstack/react-router";
import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { useHere } from "../components/here.ts";
import { crumbsOf, type Crumb } from "../model/crumbs.ts";

export function Breadcrumb({ path }: { readonly path: string }) {
  const crumbs = crumbsOf(path, useHere());
  if (crumbs.length === 0) return null;
  const parent = crumbs.length - 2;
  return (
    <nav
      aria-label="Breadcrumb"
      data-testid="breadcrumb"
      className={`min-w-0 shrink md:max-w-[45%] ${parent < 0 ? "max-md:hidden" : "max-md:max-w-24"}`}
    >
      <ol className="flex min-w-0 items-center text-table">
        {crumbs.map((crumb, at) => (
          <li
            key={crumb.label}
            className={`flex items-center ${crumb.to === null ? "min-w-0" : "shrink-0"} ${at === parent ? "max-md:min-w-0 max-md:shrink" : "max-md:hidden"}`}
          >
            {at === 0 ? null : (
              <ChevronRight
                size={14}
                strokeWidth={1.75}
                aria-hidden
                className="mx-1 shrink-0 text-text3 max-md:hidden"
              />
            )}
            {at === parent ? (
              <ChevronLeft size={16} strokeWidth={1.75} aria-hidden className="shrink-0 text-text2 md:hidden" />
            ) : null}
            <CrumbLink crumb={crumb} />
          </li>
        ))}
      </ol>
    </nav>
  );
}

const look = "block min-h-6 max-w-48 truncate py-0.5 text-text2 underline-offset-2 hover:text-text hover:underline";

function CrumbLink({ crumb: { label, to } }: { readonly crumb: Crumb }): ReactNode {
  if (to === null)
    return (
      <span aria-current="page" className="min-w-0 truncate font-medium" title={label}>
        {label}
      </span>
    );
  if (to.kind === "place")
    return (
      <Link to={to.path} activeOptions={{ exact: true }} className={look}>
        {label}
      </Link>
    );
  return (
    <Link to="/library/$name" params={{ name: to.name }} activeOptions={{ exact: true }} className={look} title={label}>
      {label}
    </Link>
  );
}
