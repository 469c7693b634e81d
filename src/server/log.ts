// The log of the service: one line for each request and for each problem, as text for people or as JSON for programs.
// It holds no bodies, tokens or queries, and no secret that is known.

import { StepwellError } from "../error.ts";
import type { Passage } from "./traffic.ts";

const logLevels = ["debug", "info", "warn", "error", "off"] as const;
export type LogLevel = (typeof logLevels)[number];

export type LogOptions = {
  /** What is less than this is not written. */
  readonly level: LogLevel;
  readonly format: "text" | "json";
  readonly write: (line: string) => void;
  readonly now: () => number;
  /** Takes known secrets out of what others have written. */
  readonly mask: (text: string) => string;
};

export interface Log {
  readonly request: (passage: Passage) => void;
  /** Something that somebody should look at; `requestId`: the request that it happened in. */
  readonly problem: (error: unknown, requestId?: string) => void;
}

type Fields = { readonly [name: string]: string | number | null };

export function createLog({ level, format, write, now, mask }: LogOptions): Log {
  const least = logLevels.indexOf(level);
  const put = (line: { readonly level: LogLevel; readonly text: string; readonly fields: Fields }): void => {
    if (logLevels.indexOf(line.level) < least) return;
    const time = new Date(now()).toISOString();
    write(
      format === "json"
        ? JSON.stringify({ time, level: line.level, ...line.fields })
        : `${time} ${line.level.padEnd(5)} ${toOneLine(line.text)}`,
    );
  };
  return {
    request: ({ method, route, status, ms, user }) => {
      const took = Math.round(ms * 10) / 10;
      put({
        level: levelOf(status, route),
        text: `${method} ${route} ${status} ${took} ms${user === null ? "" : ` ${user}`}`,
        fields: { msg: "request", method, route, status, ms: took, user },
      });
    },
    problem: (error, requestId) => {
      const { code, message } = describe(error);
      const masked = mask(message);
      const request = requestId === undefined ? {} : { request_id: requestId };
      const text = `problem: ${masked} (${code}${requestId === undefined ? "" : `, request ${requestId}`})`;
      put({ level: "error", text, fields: { msg: "problem", code, error: masked, ...request } });
    },
  };
}

/** Nothing that somebody has sent begins a line of its own, or steers a terminal. */
function toOneLine(text: string): string {
  return text.replaceAll(/[\n\r]+\s*/gu, " | ").replaceAll(/\p{Cc}+/gu, " ");
}

/** What asks every few seconds whether all is well is not worth a line. */
function levelOf(status: number, route: string): LogLevel {
  if (status >= 500) return "error";
  if (status >= 400) return "warn";
  return route === "/health" || route === "/metrics" ? "debug" : "info";
}

function describe(error: unknown): { readonly code: string; readonly message: string } {
  if (error instanceof StepwellError) return { code: error.code, message: error.message };
  return { code: "UNEXPECTED", message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
