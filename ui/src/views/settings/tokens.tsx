import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { createToken, revokeToken, tokensQuery, type Token } from "../../api/access.ts";
import { meQuery } from "../../api/queries.ts";
import { Button } from "../../components/button.tsx";
import { Confirm, Dialog } from "../../components/dialog.tsx";
import { Field, Input, Select } from "../../components/field.tsx";
import { Card, CopyButton, Empty, Loaded } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { Ago } from "../../components/time.tsx";
import { tellProblem } from "../../components/toasts.tsx";
import { showScopes } from "../../model/scope.ts";

export function Tokens() {
  const tokens = useQuery(tokensQuery);
  const client = useQueryClient();
  const [isMaking, setMaking] = useState(false);
  const [leaving, setLeaving] = useState<Token | null>(null);
  return (
    <div className="p-4 md:p-5">
      <Card
        title="API tokens"
        actions={
          <Button isSmall icon={Plus} onClick={() => setMaking(true)}>
            Make one
          </Button>
        }
      >
        <Loaded query={tokens}>
          {(all) =>
            all.length === 0 ? (
              <NoTokens onMake={() => setMaking(true)} />
            ) : (
              <Table
                label="API tokens"
                testId="token-row"
                rows={all}
                keyOf={({ id }) => id}
                columns={[
                  { name: "Name", cell: ({ name }) => name },
                  { name: "User", cell: ({ user }) => user },
                  { name: "It may", cell: (token) => showScopes(token.scopes) },
                  {
                    name: "Last used",
                    cell: ({ lastUsedAt }) => (lastUsedAt === null ? "never" : <Ago at={lastUsedAt} />),
                  },
                  {
                    name: "Actions",
                    isHidden: true,
                    cell: (token) =>
                      token.revokedAt === null ? (
                        <Button isSmall look="danger" onClick={() => setLeaving(token)}>
                          Revoke
                        </Button>
                      ) : (
                        <span className="text-text2">revoked</span>
                      ),
                  },
                ]}
              />
            )
          }
        </Loaded>
      </Card>
      {isMaking ? <MakeToken onClose={() => setMaking(false)} /> : null}
      <Confirm
        title={`Revoke the token ${leaving?.name ?? ""}?`}
        verb="Revoke"
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        act={async () => {
          if (leaving !== null) await revokeToken(leaving.id);
          await client.invalidateQueries({ queryKey: ["tokens"] });
        }}
      >
        Whoever uses it is not let in any more, from now on.
      </Confirm>
    </div>
  );
}

function NoTokens({ onMake }: { readonly onMake: () => void }) {
  const docs = { page: "access", word: "Who may do what" };
  return (
    <Empty title="There are no tokens." docs={docs} action={<Button onClick={onMake}>Make the first</Button>}>
      With a token, programs and assistants come in.
    </Empty>
  );
}

const scopes = {
  read: "read",
  run: "read run",
  approve: "read run approve",
  save: "read run approve save",
} as const;

function MakeToken({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const [user, setUser] = useState(me?.user ?? "");
  const [name, setName] = useState("");
  const [scope, setScope] = useState<keyof typeof scopes>("run");
  const [text, setText] = useState<string | null>(null);
  const make = async (): Promise<void> => {
    try {
      setText(await createToken({ user, name, scopes: scopes[scope].split(" ") }));
      await client.invalidateQueries({ queryKey: ["tokens"] });
    } catch (error) {
      tellProblem(error);
    }
  };
  if (text !== null)
    return (
      <Dialog title="Your token" isOpen onClose={onClose} foot={<Button onClick={onClose}>I have kept it</Button>}>
        <p className="mb-3">It is shown this once. Keep it where nobody else reads it.</p>
        <div className="flex items-center gap-2">
          <code data-testid="token-text" className="min-w-0 flex-1 rounded-control bg-sunken p-2 break-all">
            {text}
          </code>
          <CopyButton text={text} label="Copy the token" />
        </div>
      </Dialog>
    );
  return (
    <Dialog
      title="Make an API token"
      isOpen
      onClose={onClose}
      foot={
        <Button look="primary" disabled={user === "" || name === ""} onClick={() => void make()}>
          Make it
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label="User" help="In whose name it acts." isRequired>
          {(given) => <Input {...given} value={user} onChange={({ target }) => setUser(target.value)} />}
        </Field>
        <Field label="Name" help="What it is for." isRequired>
          {(given) => <Input {...given} value={name} onChange={({ target }) => setName(target.value)} />}
        </Field>
        <Field label="It may">
          {(given) => (
            <Select {...given} value={scope} onChange={({ target }) => setScope(target.value as keyof typeof scopes)}>
              <option value="read">look</option>
              <option value="run">look and run</option>
              <option value="approve">look, run and approve</option>
              <option value="save">look, run, approve and save workflows</option>
            </Select>
          )}
        </Field>
      </div>
    </Dialog>
  );
}
