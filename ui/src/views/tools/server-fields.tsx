// What is said of a server: a program, an address, or what somebody else has written down already.

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { systemQuery } from "../../api/system.ts";
import { Field, Input, Textarea } from "../../components/field.tsx";
import { readPasted, type Candidate, type ServerDraft, type ServerProblems } from "../../model/server-form.ts";
import { sayProgramsFolder } from "../../model/tool.ts";
import { splitWords } from "../../model/shell-words.ts";

type FieldsProps = {
  readonly draft: ServerDraft;
  readonly problems: ServerProblems;
  readonly onChange: (changed: Partial<ServerDraft>) => void;
};

export function ProgramFields({ draft, problems, onChange }: FieldsProps) {
  return (
    <>
      <Field label="Command" help={<CommandHelp line={draft.command} />} problem={problems.command ?? null} isRequired>
        {(given) => (
          <Input
            {...given}
            className="mono"
            placeholder="npx -y @modelcontextprotocol/server-filesystem@2026.8.31 ."
            spellCheck={false}
            autoComplete="off"
            value={draft.command}
            onChange={({ target }) => onChange({ command: target.value })}
          />
        )}
      </Field>
      <Field label="Environment" help={<SecretHelp />} problem={problems.environment ?? null}>
        {(given) => (
          <Textarea
            {...given}
            rows={3}
            className="mono"
            placeholder={"API_KEY=${API_KEY}"}
            spellCheck={false}
            value={draft.environment}
            onChange={({ target }) => onChange({ environment: target.value })}
          />
        )}
      </Field>
    </>
  );
}

/** How it was understood, and where it runs: a relative path is meant from there. */
function CommandHelp({ line }: { readonly line: string }) {
  const split = splitWords(line);
  const { data: system } = useQuery(systemQuery);
  const folder = sayProgramsFolder(system?.store);
  return (
    <>
      {!split.ok || split.words.length === 0 ? (
        <>
          A program with its arguments, on the machine of the engine. Quotes hold words together; nothing is
          expanded.{" "}
        </>
      ) : (
        <span className="flex flex-wrap items-center gap-1">
          {split.words.map((word, at) => (
            <code key={at} className="rounded-control bg-sunken px-1 break-all text-text">
              {word === "" ? "''" : word}
            </code>
          ))}
        </span>
      )}
      <span data-testid="programs-folder" className="break-words">
        It runs in {folder}.
      </span>
    </>
  );
}

export function AddressFields({ draft, problems, onChange }: FieldsProps) {
  return (
    <>
      <Field
        label="URL"
        help="Of a service that speaks MCP over Streamable HTTP."
        problem={problems.url ?? null}
        isRequired
      >
        {(given) => (
          <Input
            {...given}
            className="mono"
            inputMode="url"
            placeholder="https://mcp.example.com/mcp"
            spellCheck={false}
            autoComplete="off"
            value={draft.url}
            onChange={({ target }) => onChange({ url: target.value })}
          />
        )}
      </Field>
      <Field label="Headers" help={<SecretHelp />} problem={problems.headers ?? null}>
        {(given) => (
          <Textarea
            {...given}
            rows={3}
            className="mono"
            placeholder={"Authorization=Bearer ${DOCS_TOKEN}"}
            spellCheck={false}
            value={draft.headers}
            onChange={({ target }) => onChange({ headers: target.value })}
          />
        )}
      </Field>
    </>
  );
}

function SecretHelp() {
  return (
    <>
      NAME=VALUE, one to a line. What is secret is better not written here: <code>{"${NAME}"}</code> is filled in from
      the environment of the engine each time that it is connected to.
    </>
  );
}

type PasteProps = FieldsProps & {
  /** Of those that were pasted, which are there by now. */
  readonly added: ReadonlySet<number>;
  readonly onPaste: (text: string) => void;
};

export function PasteFields({ draft, problems, added, onChange, onPaste }: PasteProps) {
  const found = readPasted(draft.pasted);
  return (
    <>
      <Field
        label="An mcp.json, or one server of it"
        help="As other programs have it, with comments or without. Placeholders such as ${NAME} stay as they are, and are filled in from the environment of the engine."
        problem={problems.pasted ?? null}
        isRequired
      >
        {(given) => (
          <Textarea
            {...given}
            rows={6}
            className="mono"
            placeholder={'{ "mcpServers": { "files": { "command": "npx", "args": ["…"] } } }'}
            spellCheck={false}
            value={draft.pasted}
            onChange={({ target }) => onPaste(target.value)}
          />
        )}
      </Field>
      {found.ok ? (
        <Candidates
          found={found.value}
          chosen={draft.chosen}
          added={added}
          onChoose={(chosen, name) => onChange({ chosen, ...(name === "" ? {} : { name }) })}
        />
      ) : null}
    </>
  );
}

type CandidatesProps = {
  readonly found: readonly Candidate[];
  readonly chosen: number;
  readonly added: ReadonlySet<number>;
  readonly onChoose: (at: number, name: string) => void;
};

function Candidates({ found, chosen, added, onChoose }: CandidatesProps): ReactNode {
  return (
    <fieldset className="min-w-0">
      <legend className="text-table font-medium">Which one to add</legend>
      {found.map(({ name, target }, at) => (
        <label key={at} className="flex min-h-8 items-start gap-2 py-1" data-testid="candidate">
          <input
            type="radio"
            name="candidate"
            className="mt-1 size-4 shrink-0 accent-accent"
            checked={at === chosen}
            disabled={added.has(at)}
            onChange={() => onChoose(at, name)}
          />
          <span className="min-w-0">
            <span className="font-medium">{name === "" ? "(without a name)" : name}</span>
            {added.has(at) ? <span className="text-text2"> · added</span> : null}
            <code className="block break-all text-text2">{target}</code>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
