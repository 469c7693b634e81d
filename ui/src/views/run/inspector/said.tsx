import { Ticking, useNow } from "../../../components/time.tsx";
import type { Sentence } from "../../../model/sentence.ts";
import { showDuration } from "../../../model/time.ts";

export function Said({ sentence }: { readonly sentence: Sentence }) {
  return (
    <p data-testid="sentence" className="line-clamp-6 break-words">
      {sentence.map((piece, at) => {
        if (typeof piece === "string") return <span key={at}>{piece}</span>;
        if ("name" in piece) return <code key={at}>{piece.name}</code>;
        if ("until" in piece)
          return (
            <strong key={at} className="font-semibold">
              <Until at={piece.until} />
            </strong>
          );
        return <Ticking key={at} from={piece.since} to={null} />;
      })}
    </p>
  );
}

function Until({ at }: { readonly at: number }) {
  const now = useNow(200);
  return <span className="whitespace-nowrap">{at <= now ? "now" : `in ${showDuration(at - now)}`}</span>;
}
