// Which servers there are: those that somebody has named, and those that were added and stand in a file of our own.

import { StepwellError } from "../../error.ts";
import { nearest } from "../../flow/suggest.ts";
import type { ServerView } from "../servers.ts";
import { AddedFile } from "./added-file.ts";
import { withAdded, type RefusedServer, type ServersReading } from "./config.ts";
import type { ServerEntry, ServerHealth } from "./contract.ts";
import type { ConfiguredServer } from "./parse-servers.ts";
import { toRefusedView } from "./server-views.ts";
import { describeTarget, tellTarget } from "./target-text.ts";

export class KnownServers {
  readonly added: AddedFile;
  readonly #named: ServersReading;
  readonly #configured: Map<string, ConfiguredServer>;
  #refused: readonly RefusedServer[];
  #warnings: readonly string[];
  /** Added to a store in memory, which has no file. */
  readonly #addedHere = new Set<string>();

  constructor(named: ServersReading, addedPath: string | null) {
    this.added = new AddedFile(addedPath);
    this.#named = named;
    this.#configured = new Map(named.servers.map((server) => [server.entry.key, server]));
    this.#refused = named.refused;
    this.#warnings = named.warnings;
  }

  /** As the file of added servers is now. What is refused is known from here on; the rest is up to whoever asks. */
  async read(): Promise<ReadonlyMap<string, ConfiguredServer>> {
    const { path } = this.added;
    const reading = path === null ? this.#readHere() : await withAdded(this.#named, path);
    this.#refused = reading.refused;
    this.#warnings = reading.warnings;
    return new Map(reading.servers.map((server) => [server.entry.key, server]));
  }

  #readHere(): ServersReading {
    const here = [...this.#configured.values()].filter(({ entry }) => this.#addedHere.has(entry.key));
    return { ...this.#named, servers: [...this.#named.servers, ...here] };
  }

  list(): readonly ConfiguredServer[] {
    return [...this.#configured.values()];
  }

  get entries(): readonly ServerEntry[] {
    return this.list().map(({ entry }) => entry);
  }

  /** What is wrong with what is written, for people. */
  get troubles(): readonly string[] {
    return [...this.#refused.map(({ problem }) => problem), ...this.#warnings];
  }

  find(key: string): ConfiguredServer | undefined {
    return this.#configured.get(key);
  }

  /** Throws when there is no such server. */
  check(key: string): string {
    if (this.#configured.has(key)) return key;
    throw this.unknown(key);
  }

  unknown(key: string): StepwellError {
    const near = nearest(key, this.#configured.keys());
    const cure = near === undefined ? "" : ` Did you mean "${near}"?`;
    return new StepwellError("TOOL_SERVER_NOT_FOUND", `There is no server "${key}".${cure}`, {
      hint: "stepwell server list shows all of them",
    });
  }

  put(server: ConfiguredServer): void {
    this.#configured.set(server.entry.key, server);
  }

  drop(key: string): void {
    this.#configured.delete(key);
  }

  /** It is written down. */
  noteAdded(key: string): void {
    this.#addedHere.add(key);
  }

  /** It is written down no more. */
  noteRemoved(key: string): void {
    this.#addedHere.delete(key);
    this.#refused = this.#refused.filter((server) => server.key !== key || server.file !== this.added.path);
  }

  /** Without secrets. */
  targetOf(key: string): string {
    const configured = this.#configured.get(key);
    return configured === undefined ? "" : describeTarget(configured.entry);
  }

  toView(health: ServerHealth, changedCount: number): ServerView {
    const entry = this.#configured.get(health.key)?.entry;
    const file = entry?.file ?? null;
    const isAdded = this.#isAdded(health.key, file);
    const transport = entry?.target.kind ?? null;
    const command = entry === undefined ? null : tellTarget(entry);
    return { ...health, transport, target: this.targetOf(health.key), command, file, isAdded, changedCount };
  }

  /** What cannot be used is shown all the same. */
  refusedViews(): readonly ServerView[] {
    return this.#refused.map((server) => ({
      ...toRefusedView(server),
      isAdded: this.#isAdded(server.key, server.file),
    }));
  }

  #isAdded(key: string, file: string | null): boolean {
    return file === null ? this.#addedHere.has(key) : file === this.added.path;
  }
}
