import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { addServer, tryServer, type GivenServer, type TriedServer } from "../../api/tools.ts";
import { tell, tellProblem } from "../../components/toasts.tsx";
import { sayAdded } from "../../model/tool.ts";

type Shown = {
  readonly busy: "test" | "add" | null;
  /** What became of the newest test of what is said now. */
  readonly tried: TriedServer | null;
  /** What the engine had against it. */
  readonly refusal: Error | null;
};

export type Adding = Shown & {
  readonly test: (given: GivenServer) => Promise<void>;
  /** True: it is there, and so are its tools. */
  readonly add: (given: GivenServer) => Promise<boolean>;
  /** Something else is said now. */
  readonly forget: () => void;
};

const nothing: Shown = { busy: null, tried: null, refusal: null };

/** Tries servers out and adds them, one after another. */
export function useAdding(): Adding {
  const client = useQueryClient();
  const [shown, setShown] = useState<Shown>(nothing);
  /** Of the test that is under way: what it tells about something else is not shown. */
  const testing = useRef<AbortController | null>(null);
  const leave = (): void => {
    testing.current?.abort();
    testing.current = null;
  };
  useEffect(() => leave, []);
  const test = async (given: GivenServer): Promise<void> => {
    leave();
    const controller = new AbortController();
    testing.current = controller;
    setShown({ ...nothing, busy: "test" });
    try {
      const tried = await tryServer(given, controller.signal);
      if (!controller.signal.aborted) setShown({ ...nothing, tried });
    } catch (error) {
      if (!controller.signal.aborted) setShown({ ...nothing, refusal: toError(error) });
    }
  };
  const add = async (given: GivenServer): Promise<boolean> => {
    leave();
    setShown((old) => ({ ...old, busy: "add", refusal: null }));
    try {
      const added = await addServer(given);
      await Promise.all(["servers", "tools", "lock"].map((key) => client.invalidateQueries({ queryKey: [key] })));
      // Told as a problem it stays until somebody has read it.
      (added.problem === null ? tell : tellProblem)(sayAdded(given.key, added));
      setShown(nothing);
      return true;
    } catch (error) {
      setShown((old) => ({ ...old, busy: null, refusal: toError(error) }));
      return false;
    }
  };
  const forget = (): void => {
    leave();
    setShown(nothing);
  };
  return { ...shown, test, add, forget };
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
