// What opens above a page: loaded when it is first wanted, or before, while nothing else is to do.

import { CatchBoundary, useNavigate, useSearch } from "@tanstack/react-router";
import { Suspense } from "react";
import { tellProblem } from "../components/toasts.tsx";
import { lazyView } from "../lazy-view.ts";

export type Overlay = "palette" | "shortcuts";

const Palette = lazyView(() => import("./palette.tsx"), "Palette");
const ShortcutSheet = lazyView(() => import("./shortcut-sheet.tsx"), "ShortcutSheet");
const StartDialog = lazyView(() => import("../views/start/start-dialog.tsx"), "StartDialog");

type OverlaysProps = { readonly overlay: Overlay | null; readonly onClose: () => void };

export function Overlays({ overlay, onClose }: OverlaysProps) {
  const { start, input } = useSearch({ from: "__root__" });
  const stopStarting = useStopStarting();
  // Without it the page goes on.
  const miss = (error: unknown): void => {
    tellProblem(error);
    onClose();
    if (start !== undefined) stopStarting();
  };
  return (
    <CatchBoundary getResetKey={() => `${overlay ?? ""}/${start ?? ""}`} errorComponent={() => null} onCatch={miss}>
      <Suspense fallback={null}>
        {overlay === "palette" ? <Palette onClose={onClose} /> : null}
        {overlay === "shortcuts" ? <ShortcutSheet onClose={onClose} /> : null}
        {start === undefined ? null : <StartDialog name={start} input={input ?? null} onClose={stopStarting} />}
      </Suspense>
    </CatchBoundary>
  );
}

/** The dialog that starts a run stands in the address, so that it can be linked to; closed, it is not gone back to. */
function useStopStarting(): () => void {
  const navigate = useNavigate();
  return () =>
    void navigate({ to: ".", search: (old) => ({ ...old, start: undefined, input: undefined }), replace: true });
}
