import { useQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { listRuns } from "../../api/runs.ts";
import { Button } from "../../components/button.tsx";
import { Menu } from "../../components/menu.tsx";
import type { Json } from "../../model/json.ts";
import { showDistance } from "../../model/time.ts";

const shownMax = 5;

/** What it was started with lately, each once. */
export function RecentInputs({ name, onChoose }: { readonly name: string; readonly onChoose: (input: Json) => void }) {
  const { data } = useQuery({
    queryKey: ["runs", "recent", name],
    queryFn: async () => (await listRuns({ workflow: name, limit: 20 })).runs,
  });
  const inputs = new Map(
    (data ?? []).toReversed().map(({ input, createdAt }) => [JSON.stringify(input), { input, createdAt }]),
  );
  const recent = [...inputs].toReversed().slice(0, shownMax);
  if (recent.length === 0) return null;
  return (
    <Menu
      trigger={
        <Button look="quiet" isSmall icon={History}>
          Recent
        </Button>
      }
      entries={recent.map(([text, { input, createdAt }]) => ({
        label: `${text.length > 60 ? `${text.slice(0, 60)}…` : text} (${showDistance(createdAt - Date.now())})`,
        act: () => onChoose(input),
      }))}
    />
  );
}
