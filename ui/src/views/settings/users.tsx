import { useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound, Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { removeUser, usersQuery, type Principal } from "../../api/access.ts";
import { Button } from "../../components/button.tsx";
import { Confirm } from "../../components/dialog.tsx";
import { Card, Empty, Loaded } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { isGroup, isProgram, nameOfPrincipal } from "../../model/permission.ts";
import { showScopes } from "../../model/scope.ts";
import { AddUser, EditUser, PasswordDialog } from "./user-dialogs.tsx";

type What = "edit" | "password" | "remove";

export function Users() {
  const users = useQuery(usersQuery);
  const client = useQueryClient();
  const [isAdding, setAdding] = useState(false);
  const [asked, setAsked] = useState<{ readonly what: What; readonly user: Principal } | null>(null);
  const leaving = asked?.what === "remove" ? asked.user : null;
  const close = (): void => setAsked(null);
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
              <Empty
                title="Nobody is known yet."
                docs={{ page: "access", word: "Who may do what" }}
                action={<Button onClick={() => setAdding(true)}>Add the first</Button>}
              >
                On this machine, whoever comes is the owner. With the first user, everybody needs a login or a token.
              </Empty>
            ) : (
              <UserTable users={all} onAsk={(what, user) => setAsked({ what, user })} />
            )
          }
        </Loaded>
      </Card>
      {isAdding ? <AddUser isFirst={users.data?.length === 0} onClose={() => setAdding(false)} /> : null}
      {asked?.what === "edit" ? <EditUser user={asked.user} onClose={close} /> : null}
      {asked?.what === "password" ? <PasswordDialog user={asked.user} onClose={close} /> : null}
      <Confirm
        title={`Take ${leaving?.id ?? ""} away?`}
        verb="Take away"
        isOpen={leaving !== null}
        onClose={close}
        act={async () => {
          if (leaving !== null) await removeUser(nameOfPrincipal(leaving.id));
          await client.invalidateQueries({ queryKey: ["users"] });
        }}
      >
        Its tokens, sessions and memberships go with it.
      </Confirm>
    </div>
  );
}

type TableProps = {
  readonly users: readonly Principal[];
  readonly onAsk: (what: What, user: Principal) => void;
};

function UserTable({ users, onAsk }: TableProps) {
  return (
    <Table
      label="Users and groups"
      rows={users}
      keyOf={({ id }) => id}
      columns={[
        { name: "Name", cell: ({ id }) => <UserName id={id} /> },
        { name: "It may", cell: ({ keys }) => (keys.length === 0 ? "what its groups may" : showScopes(keys)) },
        { name: "Groups", cell: ({ groups }) => groups.join(", ") },
        {
          name: "Permissions",
          cell: ({ keys }) => (keys.length === 0 ? null : <code className="break-all">{keys.join(" ")}</code>),
        },
        {
          name: "Actions",
          isHidden: true,
          cell: (user) => <UserActions user={user} onAsk={(what) => onAsk(what, user)} />,
        },
      ]}
    />
  );
}

/** One of them nobody has added. */
function UserName({ id }: Pick<Principal, "id">) {
  return (
    <>
      <code>{id}</code>
      {isProgram(id) ? (
        <span className="block text-meta text-text2">
          This machine itself: commands and programs on it. Nobody logs in as it.
        </span>
      ) : null}
    </>
  );
}

type ActionsProps = { readonly user: Principal; readonly onAsk: (what: What) => void };

/** Nobody changes what the program itself may, and groups do not log in. */
function UserActions({ user: { id }, onAsk }: ActionsProps) {
  const name = nameOfPrincipal(id);
  return (
    <div className="flex justify-end gap-1">
      {isProgram(id) ? null : (
        <Button look="quiet" isSmall icon={Pencil} aria-label={`Edit what ${name} may`} onClick={() => onAsk("edit")} />
      )}
      {isProgram(id) || isGroup(id) ? null : (
        <Button
          look="quiet"
          isSmall
          icon={KeyRound}
          aria-label={`Password of ${name}`}
          onClick={() => onAsk("password")}
        />
      )}
      <Button look="quiet" isSmall icon={Trash2} aria-label={`Take ${id} away`} onClick={() => onAsk("remove")} />
    </div>
  );
}
