// Workflows that lie in files: read when the engine opens, and again when they change. A file that is broken is told and
// nothing else happens: what was saved of it last stays. A file that goes takes nothing with it.
//
// The system tells of changes, though not on every disk and not always: so the folder is looked at every now and then.

import { watch, type FSWatcher } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { StepwellError } from "../error.ts";
import type { Finding } from "../flow/finding.ts";
import { bytesLimit } from "../flow/source/limits.ts";
import type { Clock, Timer } from "./clock.ts";

/** A workflow as it lies in a file. */
export type WorkflowFile = {
  /** What the workflow is called when its flow does not say. */
  readonly name: string;
  readonly text: string;
  /** Throws when it may not be saved under this name. */
  readonly accept: (name: string) => void;
};

export type WorkflowFolderParts = {
  /** Folders, files, or file names with `*` in them, such as `./workflows/*.yaml`. */
  readonly places: readonly string[];
  readonly clock: Clock;
  /** Throws what is wrong with it; resolves when it is on disk. */
  readonly save: (file: WorkflowFile) => Promise<unknown>;
  readonly problem: (error: unknown) => void;
};

/** An editor writes a file in several goes. */
const restMs = 100;
const lookEveryMs = 10_000;
/** A disk that takes nothing must not keep the engine from opening. */
const openMs = 5000;

type Place = { readonly folder: string; readonly isWanted: (file: string) => boolean };

export class WorkflowFolder {
  readonly #parts: WorkflowFolderParts;
  readonly #watchers: FSWatcher[] = [];
  /** Files as they were when they were last read. */
  readonly #seen = new Map<string, string>();
  /** By the name of each workflow the file that it comes from. */
  readonly #names = new Map<string, string>();
  /** Folders of which it was told that they are not there. */
  readonly #missing = new Set<string>();
  #soon: Timer | null = null;
  #poll: Timer | null = null;
  /** A file has given up a name, which another one that was looked at before may want. */
  #isFreed = false;
  #isStopped = false;
  #looking: Promise<void> = Promise.resolve();

  constructor(parts: WorkflowFolderParts) {
    this.#parts = parts;
  }

  /** Resolves when what lies there is saved. */
  async start(): Promise<void> {
    const { clock, places } = this.#parts;
    // First, so that nothing is missed while it looks.
    for (const folder of new Set(places.map((place) => toPlace(place).folder))) this.#watch(folder);
    const { promise: passed, resolve: pass } = Promise.withResolvers<void>();
    const timer = clock.after(openMs, pass);
    await Promise.race([this.#lookAgain(), passed]);
    timer.cancel();
    this.#pollLater();
  }

  stop(): void {
    this.#isStopped = true;
    this.#soon?.cancel();
    this.#poll?.cancel();
    for (const watcher of this.#watchers.splice(0)) watcher.close();
  }

  #watch(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#lookSoon());
      // The folder has gone, or the system tells no more: the look every now and then remains.
      watcher.on("error", () => watcher.close());
      this.#watchers.push(watcher);
    } catch {
      // The same, from the beginning.
    }
  }

  /** Once nothing has changed for a moment. */
  #lookSoon(): void {
    this.#soon?.cancel();
    if (!this.#isStopped) this.#soon = this.#parts.clock.after(restMs, () => void this.#lookAgain());
  }

  #pollLater(): void {
    if (this.#isStopped) return;
    const look = (): void => void this.#lookAgain().then(() => this.#pollLater());
    this.#poll = this.#parts.clock.after(lookEveryMs, look, "duty");
  }

  #lookAgain(): Promise<void> {
    this.#looking = this.#looking.then(() => this.#look());
    return this.#looking;
  }

  async #look(): Promise<void> {
    this.#isFreed = false;
    const written: Promise<void>[] = [];
    const files = new Set<string>();
    for (const place of this.#parts.places.map(toPlace)) for (const file of await this.#list(place)) files.add(file);
    this.#forgetGone(files);
    for (const file of files) {
      if (this.#isStopped) return;
      await this.#take(file, written);
    }
    await Promise.all(written);
    if (this.#isFreed && !this.#isStopped) await this.#look();
  }

  async #list({ folder, isWanted }: Place): Promise<readonly string[]> {
    try {
      const files = (await readdir(folder)).filter(isWanted).toSorted();
      this.#missing.delete(folder);
      return files.map((file) => join(folder, file));
    } catch (error) {
      if (!this.#missing.has(folder)) this.#tell(noFolder(folder, error));
      this.#missing.add(folder);
      return [];
    }
  }

  /** The name of a file that has gone may be another one's: all are read again, and what is the same changes nothing. */
  #forgetGone(files: ReadonlySet<string>): void {
    const gone = [...this.#names].filter(([, file]) => !files.has(file));
    for (const [name] of gone) this.#names.delete(name);
    if (gone.length > 0) this.#seen.clear();
  }

  /** Reads a file that has changed since it was last read. What could not be written is tried again at the next look; what
   *  is wrong with a file is told once. */
  async #take(file: string, written: Promise<void>[]): Promise<void> {
    let mark = "";
    try {
      const found = await stat(file);
      mark = `${found.mtimeMs}:${found.size}:${found.ino}`;
      if (!found.isFile() || this.#seen.get(file) === mark) return;
      if (found.size > bytesLimit) throw new StepwellError("FLOW_UNREADABLE", "It is larger than a flow may be.");
      const text = await readFile(file, "utf8");
      if (this.#isStopped) return;
      const name = basename(file).replace(extension, "");
      const saved = this.#parts.save({ name, text, accept: (own) => this.#accept(own, file) });
      // Caught at once: it may fail while the next file is read.
      written.push(
        saved.then(
          () => void this.#seen.set(file, mark),
          (error: unknown) => this.#tell(error),
        ),
      );
    } catch (error) {
      // Gone since it was listed: nothing to tell.
      if (isGone(error)) return;
      this.#seen.set(file, mark);
      this.#tell(inFile(file, error));
    }
  }

  /** A look may still be under way when it is stopped: what is taken away then is nobody's problem. */
  #tell(error: unknown): void {
    if (!this.#isStopped) this.#parts.problem(error);
  }

  #accept(name: string, file: string): void {
    this.#freeNames(file, name);
    const other = this.#names.get(name);
    if (other !== undefined && other !== file)
      throw new StepwellError("INPUT_INVALID", `The workflow "${name}" lies in ${basename(other)} already.`, {
        hint: "Give one of them another name.",
      });
    this.#names.set(name, file);
  }

  /** What lies in the file is called otherwise now; files that wanted its old name are read again. */
  #freeNames(file: string, name: string): void {
    const old = [...this.#names].filter(([known, from]) => from === file && known !== name);
    if (old.length === 0) return;
    for (const [known] of old) this.#names.delete(known);
    this.#seen.clear();
    this.#isFreed = true;
  }
}

const extension = /\.(?:ya?ml|json)$/i;
/** Tests of flows lie beside them; what begins with a dot is an editor's own. */
const notWanted = /^\.|\.test\.(?:ya?ml|json)$/i;

function toPlace(place: string): Place {
  const path = resolve(place);
  const name = basename(path);
  const isPattern = name.includes("*");
  if (!isPattern && !extension.test(name))
    return { folder: path, isWanted: (file) => extension.test(file) && !notWanted.test(file) };
  const folder = dirname(path);
  if (folder.includes("*"))
    throw new StepwellError("USAGE", `"${place}" has a * in the name of a folder; only file names may have one.`);
  if (!isPattern) return { folder, isWanted: (file) => file === name };
  const shape = new RegExp(`^${name.split("*").map(escape).join(".*")}$`);
  return { folder, isWanted: (file) => shape.test(file) && extension.test(file) && !notWanted.test(file) };
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

/** The files in which workflows lie, in the order in which an engine takes them. Throws when a folder is not there. */
export async function listWorkflowFiles(places: readonly string[]): Promise<readonly string[]> {
  const files = new Set<string>();
  for (const { folder, isWanted } of places.map(toPlace)) {
    const found = await readdir(folder).catch((error: unknown) => Promise.reject(noFolder(folder, error)));
    for (const file of found.filter(isWanted).toSorted()) files.add(join(folder, file));
  }
  return [...files];
}

/** Throws what is wrong with the places themselves, before anything is opened. */
export async function checkPlaces(places: readonly string[]): Promise<void> {
  for (const { folder } of places.map(toPlace)) {
    try {
      await readdir(folder);
    } catch (error) {
      throw noFolder(folder, error);
    }
  }
}

function noFolder(folder: string, error: unknown): StepwellError {
  const message = isGone(error)
    ? `There is no folder ${folder}; workflows should lie there.`
    : `The folder ${folder}, where workflows should lie, cannot be read: ${String(error)}`;
  return new StepwellError("FILE_NOT_FOUND", message, { cause: error });
}

function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** The file, the line if there is one, and the sentence; what was saved of it before stays. */
function inFile(file: string, error: unknown): StepwellError {
  const told = error instanceof StepwellError ? error : undefined;
  const found = findingsOf(told);
  const first = found.find(({ severity }) => severity === "error");
  const line = first?.line ?? null;
  const sentence = first?.message ?? (error instanceof Error ? error.message : String(error));
  const place = line === null ? basename(file) : `${basename(file)}:${line}`;
  return new StepwellError(told?.code ?? "FLOW_UNREADABLE", `${place}: ${sentence}`, {
    ...(told?.hint === undefined ? {} : { hint: told.hint }),
    details: { file, line, findings: found },
    cause: error,
  });
}

function findingsOf(error: StepwellError | undefined): readonly Finding[] {
  const { details } = error ?? {};
  return details !== undefined && "findings" in details ? (details.findings as readonly Finding[]) : [];
}
