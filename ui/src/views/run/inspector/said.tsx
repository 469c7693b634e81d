import type { Sentence } from "../../../model/sentence.ts";
import { showAbsolute, showDay, showDuration } from "../../../model/time.ts";
import { useClock } from "../clock.ts";
import { Ticking } from "../ticking.tsx";

export function Said({ sentence }: { readonly sentence: Sentence }) {
  return (
    <p data-testid="sentence" className="line-clamp-6 break-words">
      <Words sentence={sentence} />
    </p>
  );
}

export function Words({ sentence }: { readonly sentence: Sentence }) {
  return (
    <>
      {sentence.map((piece, at) => {
        if (typeof piece === "string") return <span key={at}>{piece}</span>;
        if ("name" in piece) return <code key={at}>{piece.name}</code>;
        if ("until" in piece)
          return (
            <strong key={at} className="font-semibold">
              <Until at={piece.until} />
            </strong>
          );
        if ("at" in piece) return <When key={at} at={piece.at} />;
        return <Ticking key={at} from={piece.since} to={null} />;
      })}
    </>
  );
}

function When({ at }: { readonly at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={showAbsolute(at)} className="whitespace-nowrap">
      {showDay(at)}
    </time>
  );
}

function Until({ at }: { readonly at: number }) {
  const now = useClock(true);
  return <span className="whitespace-nowrap">{at <= now ? "now" : `in ${showDuration(at - now)}`}</span>;
}
