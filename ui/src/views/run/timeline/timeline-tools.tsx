import { ChevronLeft, ChevronRight, ZoomIn, ZoomOut } from "lucide-react";
import { Button } from "../../../components/button.tsx";
import { move, wholeWindow, type Window, zoom } from "../../../model/time-scale.ts";
import type { LegendEntry } from "../../../model/timeline.ts";

type ToolsProps = {
  readonly legend: readonly LegendEntry[];
  readonly window: Window;
  readonly onChange: (window: Window) => void;
};

export function TimelineTools({ legend, window, onChange }: ToolsProps) {
  const isWhole = window.from <= 0 && window.to >= 1;
  return (
    <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-b border-border px-3 py-1 text-meta text-text2 @3xl/tabs:absolute @3xl/tabs:top-0 @3xl/tabs:right-0 @3xl/tabs:h-9 @3xl/tabs:max-w-[calc(100%-420px)] @3xl/tabs:flex-nowrap @3xl/tabs:border-b-0 @3xl/tabs:py-0">
      <ul className="flex flex-wrap gap-x-3 @3xl/tabs:h-5 @3xl/tabs:overflow-hidden" aria-label="What the bars mean">
        {legend.map(({ kind, token, word }) => (
          <li key={word} className="flex h-5 items-center gap-1.5 whitespace-nowrap">
            <span
              aria-hidden
              data-token={token}
              data-kind={kind}
              className="bar !relative !top-0 w-5"
              style={{ transform: "none" }}
            />
            {word}
          </li>
        ))}
      </ul>
      <div className="ms-auto flex items-center gap-0.5">
        {isWhole ? null : (
          <>
            <Button
              look="quiet"
              isSmall
              icon={ChevronLeft}
              aria-label="Earlier"
              title="Earlier"
              onClick={() => onChange(move(window, -0.5))}
            />
            <Button
              look="quiet"
              isSmall
              icon={ChevronRight}
              aria-label="Later"
              title="Later"
              onClick={() => onChange(move(window, 0.5))}
            />
            <Button look="quiet" isSmall onClick={() => onChange(wholeWindow)}>
              All of it
            </Button>
          </>
        )}
        <Button
          look="quiet"
          isSmall
          icon={ZoomOut}
          aria-label="Show more time"
          title="Show more time (Shift + wheel)"
          disabled={isWhole}
          onClick={() => onChange(zoom(window, 1.6, 0.5))}
        />
        <Button
          look="quiet"
          isSmall
          icon={ZoomIn}
          aria-label="Show less time"
          title="Show less time (Shift + wheel)"
          onClick={() => onChange(zoom(window, 0.625, 0.5))}
        />
      </div>
    </div>
  );
}
