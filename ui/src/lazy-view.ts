// Views that are loaded when they are first looked at. One that could not be loaded says so in its place, and can be tried
// again: the router by itself would load the whole page anew, and where the server is down nothing would be left of it.

import { lazyRouteComponent } from "@tanstack/react-router";
import { Problem } from "./api/request.ts";

/** A browser does not try again to load a script that did not come: once the server answers, the page is loaded anew. */
export class NotLoaded extends Problem {
  constructor() {
    super({
      code: "PAGE_NOT_LOADED",
      status: 0,
      message: "This part of the page could not be loaded.",
      hint: "Is the server running? Once it is back this comes by itself.",
      details: {},
    });
  }
}

type Views = { readonly [name: string]: unknown };
type View<Loaded extends Views, Name extends keyof Loaded> = ReturnType<typeof lazyRouteComponent<Loaded, Name>>;

const loads: (() => Promise<void>)[] = [];

export function lazyView<Loaded extends Views, Name extends keyof Loaded>(
  importing: () => Promise<Loaded>,
  name: Name,
): View<Loaded, Name> {
  const load = async (): Promise<void> => {
    await view.preload?.();
  };
  const view: View<Loaded, Name> = lazyRouteComponent(
    () =>
      importing().catch(() => {
        throw new NotLoaded();
      }),
    name,
  );
  loads.push(load);
  return view;
}

/** And these; one after the other, so that what is looked at comes first. */
export async function preloadViews(...others: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const load of [...loads, ...others]) await load().catch(() => {});
}
