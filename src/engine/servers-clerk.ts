// Answers for the servers that bring tools, at the owner's door: only the process that owns the store is connected to them.

import { StepwellError } from "../error.ts";
import type { KeyRing } from "../access/key-ring.ts";
import { localUser } from "../access/principal.ts";
import { toSealed, unseal } from "../access/seal.ts";
import { isObject, type Json, type JsonObject } from "../flow/json.ts";
import type { Store } from "../store/store.ts";
import { noServers } from "../tool/server-refusals.ts";
import type { ServerNotes, ServerView, ToolServers } from "../tool/servers.ts";
import { findIn, textIn } from "./ask-fields.ts";
import type { Aside } from "./batch-draft.ts";
import type { Asking, Clerk } from "./clerk.ts";
import type { Entries } from "./entries.ts";
import { listHeldFor } from "./held-calls.ts";
import { createMessageId } from "./message-id.ts";
import type { Request } from "./request.ts";
import type { SecretVault } from "./secret-vault.ts";
import { otherKey } from "./secrets-clerk.ts";
import { sealedName } from "./server-verbs.ts";

export type ServersParts = {
  /** None were given to this engine, unless there are some. */
  readonly servers?: ToolServers;
  readonly store: Store;
  readonly entries: Entries;
  readonly vault: SecretVault;
  readonly keys: KeyRing;
  /** Resolves when it is on disk. */
  readonly write: (aside: Aside) => Promise<void>;
  readonly ask: (request: Request) => Promise<Json>;
  readonly problem: (error: unknown) => void;
};

/** What starts or ends a server. */
const changing: ReadonlySet<string> = new Set(["test", "restart", "add", "remove", "try_out"]);

/** What servers leave for the next process. */
const noteKind = "server_note";

export class ServersClerk implements Clerk {
  readonly #parts: ServersParts;
  /** They have what they need. Who asks while an engine takes the store over waits for it. */
  readonly #begun = Promise.withResolvers<void>();

  constructor(parts: ServersParts) {
    this.#parts = parts;
  }

  async open(): Promise<void> {
    const { servers, vault, problem } = this.#parts;
    const opening = servers?.open({
      findSecret: (name) => {
        const opened = vault.open(name);
        return opened.ok ? opened.value : undefined;
      },
      mask: (text) => vault.maskMessage(text),
      problem,
      onAgreed: (tools) => void this.#letGo(tools).catch(problem),
      notes: this.#createNotes(),
    });
    this.#begun.resolve();
    await opening;
  }

  async close(): Promise<void> {
    this.#begun.resolve();
    await this.#parts.servers?.close();
  }

  #createNotes(): ServerNotes {
    const { entries, problem } = this.#parts;
    return {
      find: (key) => entries.find(noteKind, key)?.value,
      list: () => entries.list(noteKind),
      put: (key, value) => void entries.change([{ kind: noteKind, key, value }]).catch(problem),
    };
  }

  async handle(ask: Json, asking: Asking): Promise<Json> {
    const { servers } = this.#parts;
    const what = textIn(ask, "do");
    if (changing.has(what)) await this.#begun.promise;
    switch (what) {
      case "list":
        return servers?.list().map((server) => this.#mask(server)) ?? [];
      case "show_lock":
        return servers?.lock ?? { file: null, servers: [] };
      case "list_changes":
        return servers?.changes ?? [];
      case "test":
        return this.#mask(await this.#get().test(textIn(ask, "id")));
      case "restart":
        return this.#answer(this.#mask(await this.#get().restart(textIn(ask, "id"))), asking);
      case "approve":
        return this.#answer(await this.#get().approve(textIn(ask, "tool"), { expected: hashIn(ask) }), asking);
      case "add":
        return this.#add(textIn(ask, "id"), this.#settingsIn(ask), asking);
      case "remove":
        await this.#get().remove(textIn(ask, "id"));
        return this.#answer(null, asking);
      case "try_out":
        return this.#tryOut(textIn(ask, "id"), this.#settingsIn(ask), asking);
      default:
        throw new StepwellError("REFUSED", "The message is none that this version knows.");
    }
  }

  async #add(key: string, settings: JsonObject, asking: Asking): Promise<Json> {
    const added = this.#mask(await this.#get().add(key, settings));
    return this.#answer(added, asking, { target: added.target });
  }

  /** Also on record when it came to nothing: a program was started. */
  async #tryOut(key: string, settings: JsonObject, asking: Asking): Promise<Json> {
    const tried = await this.#get().tryOut(key, settings);
    const problem = this.#maskText(tried.problem);
    return this.#answer({ ...tried, problem }, asking, { target: tried.target });
  }

  /** Calls are given secrets, and a program may write down what it is called with. */
  #mask(server: ServerView): ServerView {
    const { problem, lastWords, command } = server;
    return {
      ...server,
      problem: this.#maskText(problem),
      lastWords: this.#maskText(lastWords),
      command: this.#maskText(command),
    };
  }

  #maskText(text: string | null): string | null {
    return text === null ? null : this.#parts.vault.maskMessage(text);
  }

  #settingsIn(ask: Json): JsonObject {
    const { keys } = this.#parts;
    const sealed = toSealed(findIn(ask, "sealed") ?? null);
    const key = sealed === undefined ? undefined : keys.find(sealed.keyId);
    const text =
      sealed === undefined || key === undefined ? undefined : unseal(sealed, sealedName(textIn(ask, "id")), key);
    if (text === undefined) throw otherKey();
    const settings = JSON.parse(text) as Json;
    if (isObject(settings)) return settings;
    throw new StepwellError("INPUT_INVALID", "A server is said as a map with command or url.");
  }

  /** With what is on record of it. */
  async #answer(answer: Json, asking: Asking, details: JsonObject = {}): Promise<Json> {
    const { audit } = asking;
    const told = audit === null ? [] : [{ ...audit, details: { ...audit.details, ...details } }];
    await this.#parts.write({ answers: asking.tell(answer), audit: told });
    return answer;
  }

  /** The steps that wait for these tools go on. */
  async #letGo(tools: readonly string[]): Promise<void> {
    const { store, ask, problem } = this.#parts;
    for (const row of await listHeldFor(store, tools)) {
      const said = { kind: "resolve", row, by: localUser, how: "retry", result: null } as const;
      await ask({ kind: "say", id: createMessageId(null, localUser, said), run: null, said }).catch(
        (error: unknown) => {
          // Somebody has let it go by, or its run has ended meanwhile.
          if (!(error instanceof StepwellError && error.code === "REFUSED")) problem(error);
        },
      );
    }
  }

  #get(): ToolServers {
    const { servers } = this.#parts;
    if (servers !== undefined) return servers;
    throw noServers();
  }
}

/** null: somebody was shown that nothing has changed; undefined: they take whatever there is. */
function hashIn(ask: Json): string | null | undefined {
  const found = findIn(ask, "hash");
  return found === null || found === undefined ? found : textIn(ask, "hash");
}
