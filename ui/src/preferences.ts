// What somebody prefers, kept in this browser: the theme, how dense tables are, sizes of panels.

import { useSyncExternalStore } from "react";

const watchers = new Set<() => void>();

function read(name: string): string | null {
  try {
    return localStorage.getItem(`stepwell.${name}`);
  } catch {
    // A browser that keeps nothing.
    return null;
  }
}

export function prefer(name: string, value: string): void {
  try {
    localStorage.setItem(`stepwell.${name}`, value);
  } catch {
    // As above: it holds until the page is left.
  }
  if (name === "theme") applyTheme();
  for (const watcher of watchers) watcher();
}

/** What is preferred, without a component that waits for it to change. */
export function preferenceOf(name: string): string | null {
  return read(name);
}

/** At once, and whenever somebody prefers something else; before anything is drawn anew for it. */
export function applyPreferences(apply: () => void): void {
  apply();
  watchers.add(apply);
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export function usePreference(name: string, otherwise: string): string {
  return useSyncExternalStore(subscribe, () => read(name) ?? otherwise);
}

const darkSystem = matchMedia("(prefers-color-scheme: dark)");

function applyTheme(): void {
  const chosen = read("theme") ?? "system";
  const isDark = chosen === "dark" || (chosen !== "light" && darkSystem.matches);
  document.documentElement.dataset["theme"] = isDark ? "dark" : "light";
}

function applyDensity(): void {
  document.documentElement.dataset["density"] = read("density") === "compact" ? "compact" : "comfortable";
}

applyPreferences(applyDensity);

darkSystem.addEventListener("change", () => {
  applyTheme();
  for (const watcher of watchers) watcher();
});

// Another window of this browser; null: everything was taken away there.
addEventListener("storage", ({ key }) => {
  if (key !== null && !key.startsWith("stepwell.")) return;
  applyTheme();
  for (const watcher of watchers) watcher();
});

export function useIsDark(): boolean {
  return useSyncExternalStore(subscribe, () => document.documentElement.dataset["theme"] === "dark");
}
