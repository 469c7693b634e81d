import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { removeSecret, saveSecret, secretsQuery } from "../../api/access.ts";
import { Button } from "../../components/button.tsx";
import { Confirm, Dialog } from "../../components/dialog.tsx";
import { Field, Input } from "../../components/field.tsx";
import { Card, Empty, Loaded } from "../../components/page.tsx";
import { Table } from "../../components/table.tsx";
import { Ago } from "../../components/time.tsx";
import { tell, tellProblem } from "../../components/toasts.tsx";

export function Secrets() {
  const secrets = useQuery(secretsQuery);
  const client = useQueryClient();
  const [isAdding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<string | null>(null);
  return (
    <div className="p-4 md:p-5">
      <Card
        title="Secrets"
        actions={
          <Button isSmall icon={Plus} onClick={() => setAdding(true)}>
            Keep one
          </Button>
        }
      >
        <Loaded query={secrets}>
          {(all) =>
            all.length === 0 ? (
              <Empty title="No secrets are kept." docs={{ page: "secrets", word: "How secrets are kept" }}>
                Steps use them as {"{{ secrets.NAME }}"}; nobody is shown their values again.
              </Empty>
            ) : (
              <Table
                label="Secrets"
                rows={all}
                keyOf={({ name }) => name}
                columns={[
                  { name: "Name", cell: ({ name }) => <code>{name}</code> },
                  { name: "Value", cell: () => <span title="Values are never shown.">****</span> },
                  { name: "Changed", cell: ({ updatedAt }) => <Ago at={updatedAt} /> },
                  {
                    name: "Actions",
                    isHidden: true,
                    cell: ({ name }) => (
                      <Button
                        look="quiet"
                        isSmall
                        icon={Trash2}
                        aria-label={`Forget ${name}`}
                        onClick={() => setLeaving(name)}
                      />
                    ),
                  },
                ]}
              />
            )
          }
        </Loaded>
      </Card>
      {isAdding ? <KeepSecret onClose={() => setAdding(false)} /> : null}
      <Confirm
        title={`Forget the secret ${leaving ?? ""}?`}
        verb="Forget"
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        act={async () => {
          if (leaving !== null) await removeSecret(leaving);
          await client.invalidateQueries({ queryKey: ["secrets"] });
        }}
      >
        Steps that need it fail from then on.
      </Confirm>
    </div>
  );
}

function KeepSecret({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const keep = async (): Promise<void> => {
    try {
      await saveSecret(name, value);
      tell(`${name} is kept.`);
      await client.invalidateQueries({ queryKey: ["secrets"] });
      onClose();
    } catch (error) {
      tellProblem(error);
    }
  };
  return (
    <Dialog
      title="Keep a secret"
      isOpen
      onClose={onClose}
      foot={
        <Button look="primary" disabled={name === "" || value === ""} onClick={() => void keep()}>
          Keep it
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Field label="Name" isRequired>
          {(given) => (
            <Input {...given} className="mono" value={name} onChange={({ target }) => setName(target.value)} />
          )}
        </Field>
        <Field label="Value" help="It is written encrypted, and shown nowhere." isRequired>
          {(given) => (
            <Input
              {...given}
              type="password"
              autoComplete="off"
              value={value}
              onChange={({ target }) => setValue(target.value)}
            />
          )}
        </Field>
      </div>
    </Dialog>
  );
}
