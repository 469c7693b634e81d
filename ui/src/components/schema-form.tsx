// Fields for a value that a JSON Schema describes; where no fields stand for it, its JSON.

import { useState } from "react";
import { isObject, type Json, type JsonObject } from "../model/json.ts";
import {
  fieldsOf,
  isExpression,
  readArgumentText,
  readFieldText,
  readJson,
  sayOfField,
  toFieldText,
  withField,
  type FormField,
} from "../model/schema-form.ts";
import { Field, Input, Select, Switch, Textarea } from "./field.tsx";

export type SchemaFormProps = {
  readonly schema: Json;
  readonly value: Json;
  readonly onChange: (value: Json) => void;
  /** By the name of the field; "" is the whole. */
  readonly problems?: ReadonlyMap<string, string>;
  /** Told when a text stands for nothing; such a form cannot be sent. */
  readonly onValidity?: (isValid: boolean) => void;
  readonly isJson?: boolean;
  /** Texts with `{{ }}` stand for any value. */
  readonly takesExpressions?: boolean;
  /** Of the field for its JSON. */
  readonly jsonLabel?: string;
};

const noProblems: ReadonlyMap<string, string> = new Map();

export function SchemaForm({
  schema,
  value,
  onChange,
  problems = noProblems,
  onValidity,
  isJson = false,
  takesExpressions = false,
  jsonLabel = "JSON",
}: SchemaFormProps) {
  const fields = fieldsOf(schema);
  // Texts that stand for nothing yet, by field; what stands for something is in the value.
  const [wrong, setWrong] = useState<ReadonlyMap<string, string>>(noProblems);
  const tellWrong = (name: string, problem: string | null): void => {
    const next = new Map(wrong);
    if (problem === null) next.delete(name);
    else next.set(name, problem);
    setWrong(next);
    onValidity?.(next.size === 0);
  };
  if (isJson || fields === null || !isObject(value))
    return (
      <JsonField
        label={jsonLabel}
        value={value}
        onChange={onChange}
        problem={wrong.get("") ?? [...problems.values()][0] ?? null}
        onProblem={(problem) => tellWrong("", problem)}
      />
    );
  return (
    <div className="flex flex-col gap-4">
      {fields.length === 0 ? <p className="text-text2">It asks for nothing.</p> : null}
      {problems.has("") ? (
        <p role="alert" className="text-danger">
          {problems.get("")}
        </p>
      ) : null}
      {fields.map((field) => (
        <OneField
          key={field.name}
          field={field}
          value={value}
          takesExpressions={takesExpressions}
          onChange={onChange}
          problem={wrong.get(field.name) ?? problemOf(field, problems)}
          onProblem={(problem) => tellWrong(field.name, problem)}
        />
      ))}
    </div>
  );
}

function problemOf(field: FormField, problems: ReadonlyMap<string, string>): string | null {
  const problem = problems.get(field.name);
  return problem === undefined ? null : sayOfField(field, problem);
}

type OneFieldProps = {
  readonly field: FormField;
  readonly value: JsonObject;
  readonly takesExpressions: boolean;
  readonly onChange: (value: Json) => void;
  readonly problem: string | null;
  readonly onProblem: (problem: string | null) => void;
};

function OneField({ field, value, takesExpressions, onChange, problem, onProblem }: OneFieldProps) {
  const { name, label, help, isRequired } = field;
  // What an expression stands in is a text for as long as the form is open.
  const [kind] = useState(() => (takesExpressions && isExpression(value[name]) ? "text" : field.kind));
  const [text, setText] = useState(() => toFieldText(kind, value[name]));
  const write = (next: string): void => {
    setText(next);
    const read = (takesExpressions ? readArgumentText : readFieldText)(field, next);
    onProblem(read.ok ? null : read.problem);
    if (read.ok) onChange(withField(value, name, read.value));
  };
  if (kind === "switch")
    return (
      <div className="flex items-start gap-3">
        <Switch label={label} isOn={value[name] === true} onChange={(isOn) => onChange(withField(value, name, isOn))} />
        <div>
          <p className="text-table font-medium">{label}</p>
          {help === null ? null : <p className="text-meta text-text2">{help}</p>}
        </div>
      </div>
    );
  return (
    <Field label={label} isRequired={isRequired} problem={problem} {...(help === null ? {} : { help })}>
      {(given) => <Entry {...given} field={{ ...field, kind }} text={text} onWrite={write} />}
    </Field>
  );
}

type EntryProps = {
  readonly id: string;
  readonly "aria-invalid": boolean;
  readonly "aria-describedby": string | undefined;
  readonly "aria-required": boolean;
  readonly field: FormField;
  readonly text: string;
  readonly onWrite: (text: string) => void;
};

const inputTypes = {
  text: "text",
  any: "text",
  number: "text",
  integer: "text",
  date: "date",
  time: "datetime-local",
} as const;

function Entry({ field: { kind, choices, isRequired, name }, text, onWrite, ...given }: EntryProps) {
  switch (kind) {
    case "choice":
      return (
        <Select {...given} name={name} value={text} onChange={({ target }) => onWrite(target.value)}>
          {isRequired && text !== "" ? null : <option value="">(none)</option>}
          {choices.map((choice) => {
            const json = JSON.stringify(choice, null, 2);
            return (
              <option key={json} value={json}>
                {typeof choice === "string" ? choice : json}
              </option>
            );
          })}
        </Select>
      );
    case "long":
      return <Textarea {...given} name={name} value={text} onChange={({ target }) => onWrite(target.value)} />;
    case "json":
      return (
        <Textarea
          {...given}
          name={name}
          value={text}
          className="mono"
          spellCheck={false}
          onChange={({ target }) => onWrite(target.value)}
        />
      );
    case "text":
    case "any":
    case "number":
    case "integer":
    case "date":
    case "time":
    case "switch":
      return (
        <Input
          {...given}
          name={name}
          type={kind === "switch" ? "text" : inputTypes[kind]}
          inputMode={kind === "number" ? "decimal" : kind === "integer" ? "numeric" : undefined}
          value={text}
          onChange={({ target }) => onWrite(target.value)}
        />
      );
  }
}

type JsonFieldProps = {
  readonly value: Json;
  readonly onChange: (value: Json) => void;
  readonly problem: string | null;
  readonly onProblem: (problem: string | null) => void;
  readonly label?: string;
};

export function JsonField({ value, onChange, problem, onProblem, label = "JSON" }: JsonFieldProps) {
  const [text, setText] = useState(() => JSON.stringify(value, null, 2));
  const write = (next: string): void => {
    setText(next);
    const read = readJson(next);
    onProblem(read.ok ? null : read.problem);
    if (read.ok) onChange(read.value ?? null);
  };
  return (
    <Field label={label} problem={problem}>
      {(given) => (
        <Textarea
          {...given}
          rows={8}
          className="mono"
          spellCheck={false}
          value={text}
          onChange={({ target }) => write(target.value)}
        />
      )}
    </Field>
  );
}
