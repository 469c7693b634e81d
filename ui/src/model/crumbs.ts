// The way to a page from the place it belongs to: Runs / digest 12, Library / digest / Edit.

export type Crumb = {
  readonly label: string;
  /** Where it leads; the page that is shown leads nowhere. */
  readonly to:
    | { readonly kind: "place"; readonly path: "/runs" | "/library" | "/docs" }
    | { readonly kind: "workflow"; readonly name: string }
    | null;
};

/** What a page calls itself, and at which address: until the next page has said so, it is not that one's name. */
export type Here = { readonly path: string; readonly word: string };

const runs: Crumb = { label: "Runs", to: { kind: "place", path: "/runs" } };
const library: Crumb = { label: "Library", to: { kind: "place", path: "/library" } };

const docs: Crumb = { label: "Documentation", to: { kind: "place", path: "/docs" } };

export function crumbsOf(path: string, here: Here | null): readonly Crumb[] {
  const [place = "", name, ...more] = path.split("/").filter((part) => part !== "");
  const word = here !== null && here.path === path ? here.word : null;
  const last = (otherwise: string): Crumb => ({ label: word ?? otherwise, to: null });
  if (place === "runs" && name !== undefined) return [runs, last(decode(name))];
  if (place === "docs" && name !== undefined) return [docs, last(decode(name))];
  if (place === "new") return [library, last("New workflow")];
  if (place === "library" && name !== undefined) return [library, ...workflowCrumbs(decode(name), more, last)];
  return word === null ? [] : [last(word)];
}

function workflowCrumbs(name: string, more: readonly string[], last: (otherwise: string) => Crumb): readonly Crumb[] {
  if (more.length === 0) return [last(name)];
  return [
    { label: name, to: { kind: "workflow", name } },
    { label: "Edit", to: null },
  ];
}

/** The workflow that a page shows, by its address. In the editor another one may be meant: what is written there may not
 *  be saved yet. */
export function workflowAt(path: string): string | null {
  const [place, name, ...more] = path.split("/").filter((part) => part !== "");
  return place === "library" && name !== undefined && more.length === 0 ? decode(name) : null;
}

/** An address that somebody typed may be no address at all. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
