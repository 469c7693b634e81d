// Shows the page to whoever has started the service at a terminal of their own machine. What fails here is nobody's trouble:
// the address stands in the greeting.

import { spawn } from "node:child_process";
import type { Terminal } from "./terminal.ts";

export type Screenside = {
  readonly platform: string;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly stdout: Pick<Terminal, "isTTY">;
};

/** null: there is nobody to see it, or no screen to show it on. */
export function findOpener({ platform, environment, stdout }: Screenside): readonly string[] | null {
  const isSet = (name: string): boolean => (environment[name] ?? "") !== "";
  if (stdout.isTTY !== true || ["STEPWELL_NO_OPEN", "CI", "SSH_CONNECTION", "SSH_TTY"].some(isSet)) return null;
  if (platform === "darwin") return ["open"];
  if (platform === "win32") return ["cmd", "/c", "start", ""];
  // A container or a server has neither.
  return isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") ? ["xdg-open"] : null;
}

export function openBrowser([file = "", ...words]: readonly string[], address: string): void {
  const child = spawn(file, [...words, address], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
