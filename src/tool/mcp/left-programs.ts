// Programs of servers that outlived this process and the one that watches over it: each is written down with the instant
// at which it was started, and whoever owns the store next on this machine ends those that are still the same. A number
// of a process that was given to somebody else since is never ended: it has begun at another instant, or the machine has.
// Where there is no /proc that tells these instants, nothing is written down.

import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { isObject, own, type Json } from "../../flow/json.ts";
import type { ServerNotes } from "../servers.ts";
import { pause, type LinkClock } from "./link-clock.ts";

type Process = { readonly pid: number; /** In ticks since the machine has begun. */ readonly began: number };

type Left = { readonly boot: string; readonly owner: Process; readonly groups: readonly Process[] };

/** How long one may take to notice that it was asked to go. */
const graceMs = 2000;
const lookAgainMs = 50;
/** Nobody comes back to a machine that was not heard of for so long, which may have been a container. */
const forgottenMs = 30 * 86_400_000;
const keyPrefix = "programs:";

export class LeftPrograms {
  readonly #notes: ServerNotes;
  readonly #clock: LinkClock;
  readonly #groups = new Map<number, Process>();
  readonly #boot = readBoot();
  readonly #owner = readProcess(process.pid);
  readonly #key = `${keyPrefix}${hostname()}`;

  constructor(notes: ServerNotes, clock: LinkClock) {
    this.#notes = notes;
    this.#clock = clock;
  }

  add(group: number): void {
    const found = readProcess(group);
    if (found === undefined) return;
    this.#groups.set(group, found);
    this.#write();
  }

  remove(group: number): void {
    if (this.#groups.delete(group)) this.#write();
  }

  /** Before anything is started: two programs of one server might disturb each other. */
  async end(now: number): Promise<void> {
    for (const { key, updatedAt } of this.#notes.list())
      if (key.startsWith(keyPrefix) && now - updatedAt > forgottenMs) this.#notes.put(key, null);
    const left = parseLeft(this.#notes.find(this.#key));
    // One that is still there ends its programs itself, when it finds that it owns the store no more.
    if (left === undefined || left.boot !== this.#boot || isSame(left.owner)) return;
    const groups = left.groups.filter(isLeader);
    for (const { pid } of groups) signal(pid, "SIGTERM");
    for (let waited = 0; waited < graceMs && groups.some(isLeader); waited += lookAgainMs)
      await pause(this.#clock, lookAgainMs);
    for (const group of groups) if (isLeader(group)) signal(group.pid, "SIGKILL");
    this.#write();
  }

  #write(): void {
    if (this.#boot === undefined || this.#owner === undefined) return;
    const { pid, began } = this.#owner;
    const groups = [...this.#groups.values()].map((group) => ({ ...group }));
    const isEmpty = groups.length === 0;
    if (isEmpty && this.#notes.find(this.#key) === undefined) return;
    this.#notes.put(this.#key, isEmpty ? null : { boot: this.#boot, owner: { pid, began }, groups });
  }
}

function parseLeft(value: Json | undefined): Left | undefined {
  if (value === undefined || !isObject(value)) return undefined;
  const { boot, owner, groups } = value;
  const known = parseProcess(owner);
  if (typeof boot !== "string" || known === undefined || !Array.isArray(groups)) return undefined;
  return { boot, owner: known, groups: groups.flatMap((group: Json) => parseProcess(group) ?? []) };
}

function parseProcess(value: Json | undefined): Process | undefined {
  if (value === undefined || !isObject(value)) return undefined;
  const [pid, began] = [own(value, "pid"), own(value, "began")];
  // 0 and 1 are everybody and the first of all processes.
  return typeof pid === "number" && pid > 1 && typeof began === "number" ? { pid, began } : undefined;
}

function isSame({ pid, began }: Process): boolean {
  return readProcess(pid)?.began === began;
}

/** It is still the same, and its group is the one that we made for it. */
function isLeader({ pid, began }: Process): boolean {
  const found = readProcess(pid);
  return found?.began === began && found.group === pid;
}

/** undefined: there is none, it is dead, or nobody can tell. */
function readProcess(pid: number): (Process & { readonly group: number }) | undefined {
  // Its name, in brackets, may have anything in it.
  const [state, , group, ...others] =
    read(`/proc/${pid}/stat`)
      ?.replace(/^.*\) /su, "")
      .split(" ") ?? [];
  const began = Number(others[16]);
  if (state === undefined || state === "Z" || state === "X" || !Number.isSafeInteger(began)) return undefined;
  return { pid, began, group: Number(group) };
}

function readBoot(): string | undefined {
  return read("/proc/sys/kernel/random/boot_id")?.trim();
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}

function signal(group: number, name: NodeJS.Signals): void {
  try {
    process.kill(-group, name);
  } catch {
    // It has gone, or belongs to somebody else.
  }
}
