// Between two panels: dragged with the mouse, moved with the arrow keys.

import { useRef, type KeyboardEvent, type PointerEvent } from "react";

type SplitterProps = {
  readonly label: string;
  /** Of the line itself. */
  readonly orientation: "vertical" | "horizontal";
  readonly size: number;
  readonly min: number;
  readonly max: number;
  readonly onSize: (size: number) => void;
};

const byKey = 16;

/** The panel whose size it changes stands behind it: on its right, or below. */
export function Splitter({ label, orientation, size, min, max, onSize }: SplitterProps) {
  const drag = useRef<{ readonly at: number; readonly size: number } | null>(null);
  const isVertical = orientation === "vertical";
  const set = (wish: number): void => onSize(Math.round(Math.min(max, Math.max(min, wish))));
  const place = (event: PointerEvent): number => (isVertical ? event.clientX : event.clientY);
  const grab = (event: PointerEvent<HTMLDivElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { at: place(event), size };
  };
  const move = (event: PointerEvent): void => {
    if (drag.current !== null) set(drag.current.size + drag.current.at - place(event));
  };
  const press = (event: KeyboardEvent): void => {
    const grows = isVertical ? "ArrowLeft" : "ArrowUp";
    const shrinks = isVertical ? "ArrowRight" : "ArrowDown";
    const wishes: { readonly [key: string]: number } = {
      [grows]: size + byKey,
      [shrinks]: size - byKey,
      Home: min,
      End: max,
    };
    const wish = wishes[event.key];
    if (wish === undefined) return;
    event.preventDefault();
    set(wish);
  };
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={orientation}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      title={`${label}: drag it, or use the arrow keys`}
      onPointerDown={grab}
      onPointerMove={move}
      onPointerUp={() => (drag.current = null)}
      onPointerCancel={() => (drag.current = null)}
      onKeyDown={press}
      className={`group relative z-10 shrink-0 touch-none bg-border hover:bg-accent focus-visible:bg-accent ${isVertical ? "w-px cursor-col-resize" : "h-px cursor-row-resize"}`}
    >
      {/* More room to grab than the line has. */}
      <span className={`absolute ${isVertical ? "inset-y-0 -inset-x-1" : "inset-x-0 -inset-y-1"}`} />
    </div>
  );
}
