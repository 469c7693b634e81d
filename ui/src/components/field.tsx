// Fields of forms: a label, what goes in, a word of help, and what is wrong with it.

import { Switch as RadixSwitch } from "radix-ui";
import { useId, type ComponentProps, type ReactNode } from "react";

export const inputLook =
  "min-h-8 w-full min-w-0 rounded-control border border-strong bg-surface px-2.5 py-1 text-body text-text disabled:opacity-60 aria-[invalid=true]:border-danger";

type FieldProps = {
  readonly label: string;
  readonly help?: ReactNode;
  readonly problem?: string | null;
  readonly isRequired?: boolean;
  readonly children: (given: {
    readonly id: string;
    readonly "aria-invalid": boolean;
    readonly "aria-describedby": string | undefined;
    readonly "aria-required": boolean;
  }) => ReactNode;
};

export function Field({ label, help, problem = null, isRequired = false, children }: FieldProps) {
  const id = useId();
  const about = [help === undefined ? null : `${id}-help`, problem === null ? null : `${id}-problem`].filter(
    (each) => each !== null,
  );
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-table font-medium">
        {label}
        {isRequired ? <span className="text-danger"> *</span> : null}
      </label>
      {children({
        id,
        "aria-invalid": problem !== null,
        "aria-describedby": about.length === 0 ? undefined : about.join(" "),
        "aria-required": isRequired,
      })}
      {help === undefined ? null : (
        <div id={`${id}-help`} className="text-meta text-text2">
          {help}
        </div>
      )}
      {problem === null ? null : (
        <p id={`${id}-problem`} role="alert" className="text-meta text-danger">
          {problem}
        </p>
      )}
    </div>
  );
}

export function Input({ className = "", ...rest }: ComponentProps<"input">) {
  return <input {...rest} className={`${inputLook} ${className}`} />;
}

export function Textarea({ className = "", ...rest }: ComponentProps<"textarea">) {
  return <textarea rows={4} {...rest} className={`${inputLook} ${className}`} />;
}

export function Select({ className = "", ...rest }: ComponentProps<"select">) {
  return <select {...rest} className={`${inputLook} ${className}`} />;
}

type SwitchProps = {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly isDisabled?: boolean;
  readonly id?: string;
};

export function Switch({ label, isOn, onChange, isDisabled = false, id }: SwitchProps) {
  return (
    <RadixSwitch.Root
      id={id}
      aria-label={label}
      checked={isOn}
      disabled={isDisabled}
      onCheckedChange={onChange}
      className="relative h-6 w-10 shrink-0 rounded-full border border-strong bg-sunken disabled:opacity-50 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
    >
      <RadixSwitch.Thumb className="block size-4 translate-x-1 rounded-full bg-strong transition-transform duration-[120ms] data-[state=checked]:translate-x-5 data-[state=checked]:bg-on-accent" />
    </RadixSwitch.Root>
  );
}
