import { useQuery } from "@tanstack/react-query";
import { useDeferredValue } from "react";
import { instantQuery } from "../../api/schedules.ts";
import { shownZone } from "../../model/time.ts";
import { Field, Input } from "../../components/field.tsx";
import { Countdown } from "../../components/time.tsx";

/** When it begins, in words, and the instant that these words stand for. */
export function When({ text, onChange }: { readonly text: string; readonly onChange: (text: string) => void }) {
  const asked = useDeferredValue(text.trim());
  const instant = useQuery(instantQuery(asked, shownZone()));
  const isNow = text.trim() === "";
  return (
    <Field
      label="When"
      problem={
        isNow || instant.error === null
          ? null
          : [instant.error.message, hintOf(instant.error)].filter(Boolean).join(" ")
      }
      help={
        <span data-testid="instant" aria-live="polite">
          {isNow ? (
            'Now. Or in words: "tomorrow at 9am", "in 30 minutes", "2026-12-24 18:00".'
          ) : instant.data === undefined ? null : (
            <>
              {instant.data.text}, <Countdown to={instant.data.at} />
            </>
          )}
        </span>
      }
    >
      {(given) => (
        <Input
          {...given}
          name="schedule"
          value={text}
          placeholder="now"
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

function hintOf(error: Error): string {
  return "hint" in error && typeof error.hint === "string" ? error.hint : "";
}
