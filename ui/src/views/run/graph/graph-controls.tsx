import { Panel } from "@xyflow/react";
import { Maximize, Minus, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../../components/button.tsx";

type ControlsProps = {
  readonly onZoom: (factor: number) => void;
  readonly onFit: () => void;
  /** On a phone fingers zoom. */
  readonly hasZoom: boolean;
  readonly children: ReactNode;
};

/** At the top right: where a graph that goes from top to bottom has the least to show. */
export function GraphControls({ onZoom, onFit, hasZoom, children }: ControlsProps) {
  return (
    <Panel position="top-right" className="!m-2 flex gap-0.5 rounded-control border border-border bg-surface p-0.5">
      {hasZoom ? (
        <>
          <Button
            look="quiet"
            isSmall
            icon={Minus}
            aria-label="Zoom out (-)"
            title="Zoom out (-)"
            onClick={() => onZoom(0.8)}
          />
          <Button
            look="quiet"
            isSmall
            icon={Plus}
            aria-label="Zoom in (+)"
            title="Zoom in (+)"
            onClick={() => onZoom(1.25)}
          />
        </>
      ) : null}
      <Button
        look="quiet"
        isSmall
        icon={Maximize}
        aria-label="Fit the graph (F)"
        title="Fit the graph (F)"
        onClick={onFit}
      />
      {children}
    </Panel>
  );
}
