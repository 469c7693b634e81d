import { Panel } from "@xyflow/react";
import { Maximize, Minus, Plus } from "lucide-react";
import { Button } from "../../../components/button.tsx";

type ControlsProps = { readonly onZoom: (factor: number) => void; readonly onFit: () => void };

export function GraphControls({ onZoom, onFit }: ControlsProps) {
  return (
    <Panel
      position="bottom-left"
      className="!m-2 flex flex-col gap-0.5 rounded-control border border-border bg-surface p-0.5"
    >
      <Button
        look="quiet"
        isSmall
        icon={Plus}
        aria-label="Zoom in (+)"
        title="Zoom in (+)"
        onClick={() => onZoom(1.25)}
      />
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
        icon={Maximize}
        aria-label="Fit the graph (F)"
        title="Fit the graph (F)"
        onClick={onFit}
      />
    </Panel>
  );
}
