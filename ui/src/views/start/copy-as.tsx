import { useQuery } from "@tanstack/react-query";
import { meQuery } from "../../api/queries.ts";
import { Field, Input } from "../../components/field.tsx";
import { CopyButton } from "../../components/page.tsx";
import { toCommand, toCurl, toMcpCall, type Wish } from "../../model/start.ts";

type CopyAsProps = { readonly wish: Wish; readonly keyText: string; readonly onKey: (text: string) => void };

export function CopyAs({ wish, keyText, onKey }: CopyAsProps) {
  const { data: me } = useQuery(meQuery);
  return (
    <details>
      <summary className="min-h-6 text-text2">Advanced</summary>
      <div className="mt-3 flex flex-col gap-3">
        <Field label="Idempotency key" help="Started twice with the same key, it runs once.">
          {(given) => <Input {...given} value={keyText} onChange={({ target }) => onKey(target.value)} />}
        </Field>
        <div className="flex flex-wrap gap-1">
          <CopyButton isSmall text={toCommand(wish, me?.program)}>
            Copy as command
          </CopyButton>
          <CopyButton isSmall text={toCurl(wish, location.origin)}>
            Copy as curl
          </CopyButton>
          <CopyButton isSmall text={toMcpCall(wish)}>
            Copy as MCP call
          </CopyButton>
        </div>
      </div>
    </details>
  );
}
