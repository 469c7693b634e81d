// What is written down about a user or a group: a new one, what one may from now on, and another password.

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState, type RefObject } from "react";
import { saveUser, setPassword, type Principal } from "../../api/access.ts";
import { Button } from "../../components/button.tsx";
import { Confirm, Dialog } from "../../components/dialog.tsx";
import { Field, Input } from "../../components/field.tsx";
import { tell, tellProblem } from "../../components/toasts.tsx";
import {
  findPasswordProblem,
  holdingOf,
  keysIn,
  keysToBeginWith,
  nameOfPrincipal,
  permissions,
  startsWithoutTools,
  toggledKey,
} from "../../model/permission.ts";

type CloseProps = { readonly onClose: () => void };

/** `isFirst`: nobody is known yet. */
export function AddUser({ isFirst, onClose }: CloseProps & { readonly isFirst: boolean }) {
  const [name, setName] = useState("");
  const [groups, setGroups] = useState("");
  const [keys, setKeys] = useState(() => keysToBeginWith(isFirst));
  const word = useNewPassword();
  const { isBusy, act } = useActing(onClose);
  const add = async (): Promise<void> => {
    const { password } = word;
    if (password !== "" && !word.check()) return;
    await act(async () => {
      await saveUser({ name, groups: keysIn(groups), keys: keysIn(keys), ...(password === "" ? {} : { password }) });
      tell(`${name} is known now.`);
    });
  };
  return (
    <Dialog
      title="Add a user or a group"
      isOpen
      onClose={onClose}
      foot={
        <Button look="primary" disabled={name === ""} isBusy={isBusy} onClick={() => void add()}>
          Add
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label="Name" help="A group begins with group:" isRequired>
          {(given) => <Input {...given} value={name} onChange={({ target }) => setName(target.value)} />}
        </Field>
        <GroupsField value={groups} onChange={setGroups} />
        <PermissionFields value={keys} onChange={setKeys} />
        <PasswordField label="Password" help="Without one, only tokens let this user in." word={word} />
      </div>
    </Dialog>
  );
}

type UserProps = CloseProps & { readonly user: Principal };

export function EditUser({ user, onClose }: UserProps) {
  const [groups, setGroups] = useState(user.groups.join(" "));
  const [keys, setKeys] = useState(user.keys.join(" "));
  const { isBusy, act } = useActing(onClose);
  const name = nameOfPrincipal(user.id);
  const save = (): Promise<void> =>
    act(async () => {
      await saveUser({ name, groups: keysIn(groups), keys: keysIn(keys) });
      tell(`What ${name} may is saved.`);
    });
  return (
    <Dialog
      title={`What ${name} may`}
      isOpen
      onClose={onClose}
      foot={
        <Button look="primary" isBusy={isBusy} onClick={() => void save()}>
          Save
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <PermissionFields value={keys} onChange={setKeys} />
        <GroupsField value={groups} onChange={setGroups} />
      </div>
    </Dialog>
  );
}

/** Sets another, or takes it away, so that only tokens let this user in. */
export function PasswordDialog({ user, onClose }: UserProps) {
  const word = useNewPassword();
  const [isClearing, setClearing] = useState(false);
  const { isBusy, act } = useActing(onClose);
  const client = useQueryClient();
  const name = nameOfPrincipal(user.id);
  const save = async (): Promise<void> => {
    if (!word.check()) return;
    await act(async () => {
      await setPassword(name, word.password);
      tell(`${name} has another password.`);
    });
  };
  const clear = async (): Promise<void> => {
    await setPassword(name, null);
    tell(`${name} has no password.`);
    await client.invalidateQueries({ queryKey: ["users"] });
  };
  if (isClearing)
    return (
      <Confirm title={`Take the password of ${name} away?`} verb="Take it away" isOpen onClose={onClose} act={clear}>
        From then on only tokens let {name} in. Whoever is logged in as {name} is logged out.
      </Confirm>
    );
  return (
    <Dialog
      title={`Password of ${name}`}
      isOpen
      onClose={onClose}
      foot={
        <>
          <Button look="danger" onClick={() => setClearing(true)}>
            Take it away
          </Button>
          <Button look="primary" disabled={word.password === ""} isBusy={isBusy} onClick={() => void save()}>
            Set it
          </Button>
        </>
      }
    >
      <PasswordField label="New password" help={`Whoever is logged in as ${name} has to log in again.`} word={word} />
    </Dialog>
  );
}

/** What went wrong is told, and the dialog stays. */
function useActing(onClose: () => void) {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const act = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    try {
      await work();
      // Whoever has changed what they may themselves sees another page.
      await client.invalidateQueries();
      onClose();
    } catch (error) {
      tellProblem(error);
      setBusy(false);
    }
  };
  return { isBusy, act };
}

type TextProps = { readonly value: string; readonly onChange: (value: string) => void };

function GroupsField({ value, onChange }: TextProps) {
  return (
    <Field label="Groups" help="What they may, their members may, too.">
      {(given) => <Input {...given} value={value} onChange={({ target }) => onChange(target.value)} />}
    </Field>
  );
}

/** The same twice: what there is, to be picked, and the keys themselves, for tools by name and for one's own runs only. */
function PermissionFields({ value, onChange }: TextProps) {
  const keys = keysIn(value);
  const label = useId();
  return (
    <>
      <div role="group" aria-labelledby={label} className="flex flex-col">
        <span id={label} className="text-table font-medium">
          Permissions
        </span>
        {permissions.map((permission) => {
          const holding = holdingOf(keys, permission);
          return (
            <label key={permission.key} className="flex min-h-7 items-center gap-2">
              <input
                type="checkbox"
                checked={holding !== "none"}
                disabled={holding === "covered"}
                onChange={() => onChange(toggledKey(value, permission))}
                className="size-4 shrink-0 accent-accent"
              />
              <span className="min-w-0">{permission.word}</span>
            </label>
          );
        })}
        {startsWithoutTools(keys) ? (
          <p className="text-meta text-text2">
            No tool is given: steps of their runs that call one fail. Tick every tool, or name some as keys, such as
            tool:mail.*
          </p>
        ) : null}
      </div>
      <Field
        label="Permission keys"
        help="The same as text. tool:mail.* is the tools of mail; 130001.read.own is looking at one's own runs only, and so with answer, signal, cancel and operate."
      >
        {(given) => (
          <Input {...given} className="mono" value={value} onChange={({ target }) => onChange(target.value)} />
        )}
      </Field>
    </>
  );
}

type NewPassword = {
  readonly password: string;
  readonly write: (password: string) => void;
  readonly problem: string | null;
  readonly field: RefObject<HTMLInputElement | null>;
  /** Whether it can be sent; if not, it is said at the field, and that is gone to: it may be out of sight. */
  readonly check: () => boolean;
};

function useNewPassword(): NewPassword {
  const [password, setWritten] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  // What is said stands below the field, and is to be seen with it.
  useEffect(() => {
    if (problem !== null) field.current?.scrollIntoView({ block: "center" });
  }, [problem]);
  return {
    password,
    problem,
    field,
    write: (written) => {
      setWritten(written);
      setProblem(null);
    },
    check: () => {
      const found = findPasswordProblem(password);
      setProblem(found);
      if (found !== null) field.current?.focus();
      return found === null;
    },
  };
}

type PasswordFieldProps = { readonly label: string; readonly help: string; readonly word: NewPassword };

function PasswordField({ label, help, word: { password, problem, field, write } }: PasswordFieldProps) {
  return (
    <Field label={label} help={help} problem={problem}>
      {(given) => (
        <Input
          {...given}
          ref={field}
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={({ target }) => write(target.value)}
        />
      )}
    </Field>
  );
}
