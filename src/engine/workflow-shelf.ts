// Workflows as steps and starts name them: the flows that the program brought along first, then the saved ones.

import { secretsOf } from "../access/secret-names.ts";
import { StepwellError } from "../error.ts";
import { nearest } from "../flow/suggest.ts";
import { tellMissingSecret } from "../flow/validate/tools.ts";
import type { Failure } from "../run/model.ts";
import type { Entry } from "../store/store.ts";
import type { FlowLibrary, FlowVersion } from "./flow-library.ts";
import {
  findVersion,
  findWorkflow,
  toWorkflow,
  workflowKind,
  parseReference,
  type EntryReader,
  type Reference,
  type WorkflowRecord,
  type WorkflowReference,
} from "./workflow-entry.ts";

export type Picked =
  | { readonly kind: "found"; readonly hash: string }
  | { readonly kind: "missing"; readonly message: string; readonly hint?: string }
  | { readonly kind: "disabled"; readonly message: string; readonly hint?: string };

/** The flows of the program, and those that are known by their hash. */
type Flows = Pick<FlowLibrary, "findNamed" | "names" | "loadVersion">;

type Refused = Exclude<Picked, { kind: "found" }>;

export class Shelf {
  readonly #entries: EntryReader;
  readonly #library: Flows;

  constructor(entries: EntryReader, library: Flows) {
    this.#entries = entries;
    this.#library = library;
  }

  /** The version that a start or a step which begins now follows. */
  pick({ name, no }: Reference): Picked {
    const own = no === null ? this.#library.findNamed(name) : undefined;
    if (own !== undefined) return { kind: "found", hash: own.plan.hash };
    const saved = findWorkflow(this.#entries, name);
    if (saved === undefined) return this.unknown(name);
    if (saved.deletedAt !== null)
      return { kind: "missing", message: `The workflow "${name}" was deleted.`, hint: undo };
    if (!saved.isEnabled) return { kind: "disabled", message: `The workflow "${name}" is disabled.`, hint: enable };
    return no === null ? this.#newest(name, saved) : this.#numbered(name, no, saved);
  }

  #newest(name: string, saved: WorkflowRecord): Picked {
    for (let no = saved.no; no > 0; no--) {
      const version = findVersion(this.#entries, name, no);
      if (version?.isEnabled === true) return { kind: "found", hash: version.hash };
    }
    return { kind: "disabled", message: `All versions of the workflow "${name}" are disabled.`, hint: enable };
  }

  #numbered(name: string, no: number, saved: WorkflowRecord): Picked {
    const version = findVersion(this.#entries, name, no);
    if (version === undefined) return missingVersion(name, no, saved.no);
    if (version.isEnabled) return { kind: "found", hash: version.hash };
    return { kind: "disabled", message: `Version ${no} of the workflow "${name}" is disabled.`, hint: enable };
  }

  unknown(name: string): Refused {
    const near = nearest(name, this.names());
    const message = `There is no workflow "${name}".${near === undefined ? "" : ` Did you mean "${near}"?`}`;
    const isFile = /\.(?:ya?ml|json)$/i.test(name);
    const hint = isFile ? "A file must be read first: give its text." : "Save it first, or give the flow itself.";
    return { kind: "missing", message, hint };
  }

  /** Of what can be named, without those that were deleted. */
  *names(): Iterable<string> {
    yield* this.#library.names();
    for (const entry of this.#entries.list(workflowKind)) if (toWorkflow(entry).deletedAt === null) yield entry.key;
  }

  /** The saved workflow that is meant, deleted or not; an id may come as a text. Throws when there is none. */
  find(workflow: WorkflowReference): Reference & { readonly entry: Entry; readonly newest: number } {
    const reference = typeof workflow === "string" ? parseReference(workflow) : undefined;
    const entry =
      reference === undefined
        ? this.#entries.list(workflowKind).find((one) => toWorkflow(one).id === Number(workflow))
        : this.#entries.find(workflowKind, reference.name);
    if (entry === undefined) throw toError(this.unknown(reference?.name ?? String(workflow).slice(0, 200)));
    return { name: entry.key, no: reference?.no ?? null, entry, newest: toWorkflow(entry).no };
  }

  /** The flow of a version to start; throws when there is none. */
  open(reference: Reference): FlowVersion | Promise<FlowVersion> {
    const picked = this.pick(reference);
    if (picked.kind !== "found") throw toError(picked);
    return this.#library.loadVersion(picked.hash);
  }

  /** Whether this is, or was, the flow that is named so. */
  hasVersion({ name, no }: Reference, hash: string): boolean {
    if (no !== null) return findVersion(this.#entries, name, no)?.hash === hash;
    if (this.#library.findNamed(name)?.plan.hash === hash) return true;
    for (let older = findWorkflow(this.#entries, name)?.no ?? 0; older > 0; older--)
      if (findVersion(this.#entries, name, older)?.hash === hash) return true;
    return false;
  }

  /** Why a step that starts it fails. */
  tellFailure(reference: Reference): Failure {
    const picked = this.pick(reference);
    const code = picked.kind === "disabled" ? "workflow_disabled" : "unknown_workflow";
    return { code, message: picked.kind === "found" ? "It was not there when the step began." : picked.message };
  }

  /** What the flow's steps name and is not there now: a warning, since it may be saved before a run gets there. */
  warningsOf({ subFlows, plan }: FlowVersion): readonly string[] {
    const workflows = subFlows.flatMap((reference) => {
      const picked = this.pick(reference);
      return picked.kind === "found" ? [] : [`${picked.message} A step that starts it fails.`];
    });
    const missing = secretsOf(plan).filter((name) => this.#entries.find("secret", name) === undefined);
    return [...workflows, ...missing.map(tellMissingSecret)];
  }
}

const undo = "Save or restore it to bring it back.";
const enable = "Enable it first.";

export function missingVersion(name: string, no: number, newest: number): Refused {
  const message = `The workflow "${name}" has no version ${no}; its newest is ${newest}.`;
  return { kind: "missing", message };
}

export function toError({ kind, message, hint }: Refused): StepwellError {
  const code = kind === "disabled" ? "WORKFLOW_DISABLED" : "WORKFLOW_NOT_FOUND";
  return new StepwellError(code, message, hint === undefined ? {} : { hint });
}
