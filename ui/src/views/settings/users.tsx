import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { removeUser, saveUser, usersQuery, type Principal } from "../../api/access.ts";
import { Button } from "../../components/button.tsx";
import { Confirm, Dialog } from "../../components/dialog.tsx";
import { Field, Input } from "../../components/field.tsx";
import { Card, Empty, Loaded } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { tell, tellProblem } from "../../components/toasts.tsx";

export function Users() {
  const users = useQuery(usersQuery);
  const client = useQueryClient();
  const [isAdding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<Principal | null>(null);
  return (
    <div className="p-4 md:p-5">
      <Card
        title="Users and groups"
        actions={
          <Button isSmall icon={Plus} onClick={() => setAdding(true)}>
            Add
          </Button>
        }
      >
        <Loaded query={users}>
          {(all) =>
            all.length === 0 ? (
              <Empty title="Nobody is known yet.">
                On this machine, whoever comes is the owner. With the first user, everybody needs a login or a token.
              </Empty>
            ) : (
              <Table
                label="Users and groups"
                rows={all}
                keyOf={({ id }) => id}
                columns={[
                  { name: "Name", cell: ({ id }) => <code>{id}</code> },
                  { name: "Groups", cell: ({ groups }) => groups.join(", ") },
                  { name: "Permissions", cell: ({ keys }) => <code className="break-all">{keys.join(" ")}</code> },
                  {
                    name: "Actions",
                    isHidden: true,
                    cell: (user) => (
                      <Button
                        look="quiet"
                        isSmall
                        icon={Trash2}
                        aria-label={`Take ${user.id} away`}
                        onClick={() => setLeaving(user)}
                      />
                    ),
                  },
                ]}
              />
            )
          }
        </Loaded>
      </Card>
      {isAdding ? <AddUser onClose={() => setAdding(false)} /> : null}
      <Confirm
        title={`Take ${leaving?.id ?? ""} away?`}
        verb="Take away"
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        act={async () => {
          if (leaving !== null) await removeUser(leaving.id.replace(/^user:/, ""));
          await client.invalidateQueries({ queryKey: ["users"] });
        }}
      >
        Its tokens, sessions and memberships go with it.
      </Confirm>
    </div>
  );
}

function words(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

function AddUser({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [groups, setGroups] = useState("");
  const [keys, setKeys] = useState("130001 tool:*");
  const [password, setPassword] = useState("");
  const add = async (): Promise<void> => {
    try {
      await saveUser({ name, groups: words(groups), keys: words(keys), ...(password === "" ? {} : { password }) });
      tell(`${name} is known now.`);
      await client.invalidateQueries();
      onClose();
    } catch (error) {
      tellProblem(error);
    }
  };
  return (
    <Dialog
      title="Add a user or a group"
      isOpen
      onClose={onClose}
      foot={
        <Button look="primary" disabled={name === ""} onClick={() => void add()}>
          Add
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label="Name" help="A group begins with group:" isRequired>
          {(given) => <Input {...given} value={name} onChange={({ target }) => setName(target.value)} />}
        </Field>
        <Field label="Groups">
          {(given) => <Input {...given} value={groups} onChange={({ target }) => setGroups(target.value)} />}
        </Field>
        <Field
          label="Permission keys"
          help="130001 is everything, 130001.read is looking only; tool:* lets steps call every tool."
        >
          {(given) => (
            <Input {...given} className="mono" value={keys} onChange={({ target }) => setKeys(target.value)} />
          )}
        </Field>
        <Field label="Password" help="Without one, only tokens let this user in.">
          {(given) => (
            <Input
              {...given}
              type="password"
              autoComplete="new-password"
              value={password}
              onChange={({ target }) => setPassword(target.value)}
            />
          )}
        </Field>
      </div>
    </Dialog>
  );
}
