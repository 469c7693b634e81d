// Fields that are written into the text when one pauses, leaves them, or presses Enter.

import { useState } from "react";
import { Field, Input, Select, Textarea } from "../../../components/field.tsx";
import type { Question } from "../../../model/step-form.ts";
import { useNews } from "./use-news.ts";
import { usePause } from "./use-pause.ts";

type WrittenFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly onWrite: (text: string) => void;
  /** What is wrong with it; null: nothing. */
  readonly check?: (text: string) => string | null;
  readonly help?: string;
  readonly isLong?: boolean;
  readonly isRequired?: boolean;
  readonly placeholder?: string;
};

export function WrittenField({ label, value, onWrite, check, help, isLong = false, ...rest }: WrittenFieldProps) {
  const { isRequired = false, placeholder } = rest;
  const [text, setText] = useState(value);
  const [problem, setProblem] = useState<string | null>(null);
  const { tellWritten, isThere } = useNews(value.trim(), Object.is, () => {
    setText(value);
    setProblem(null);
  });
  const findProblem = (): string | null => (text.trim() === value.trim() ? null : (check?.(text) ?? null));
  const write = (): void => {
    const found = findProblem();
    setProblem(found);
    if (found !== null || isThere(text.trim())) return;
    tellWritten(text.trim());
    onWrite(text);
  };
  // Half a word is no mistake yet.
  usePause(text, () => (findProblem() === null ? write() : undefined));
  const given = { value: text, placeholder, onBlur: write };
  return (
    <Field label={label} problem={problem} isRequired={isRequired} {...(help === undefined ? {} : { help })}>
      {(own) =>
        isLong ? (
          <Textarea {...own} {...given} rows={2} onChange={({ target }) => setText(target.value)} />
        ) : (
          <Input
            {...own}
            {...given}
            onChange={({ target }) => setText(target.value)}
            onKeyDown={({ key }) => (key === "Enter" ? write() : undefined)}
          />
        )
      }
    </Field>
  );
}

type QuestionFieldProps = { readonly question: Question; readonly onAnswer: (value: string) => void };

export function QuestionField({ question: { label, value, choices }, onAnswer }: QuestionFieldProps) {
  return (
    <Field label={label}>
      {(given) => (
        <Select {...given} value={value} onChange={({ target }) => onAnswer(target.value)}>
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
