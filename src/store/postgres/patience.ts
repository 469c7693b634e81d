// Reads that wait through a hiccup: what reads changes nothing, so a read whose session broke is asked again, until the
// server has been away for too long.

import { setTimeout as sleep } from "node:timers/promises";
import { StepwellError } from "../../error.ts";
import type { Pool } from "./connection.ts";
import { sqlStateOf } from "./problem.ts";

const pauseMinMs = 20;
const pauseMaxMs = 1000;
/** The server is there, and it took too long: the same would take as long again. */
const tookTooLong = "57014";

export function waitThrough(pool: Pool, giveUpAfterMs: number): Pool {
  let isClosed = false;
  return {
    ...pool,
    rows: async (name, text, values) => {
      const deadline = performance.now() + giveUpAfterMs;
      for (let pauseMs = pauseMinMs; ; pauseMs = Math.min(pauseMs * 2, pauseMaxMs)) {
        try {
          return await pool.rows(name, text, values);
        } catch (error) {
          if (isClosed || !mayPass(error) || performance.now() + pauseMs > deadline) throw error;
        }
        // Many that broke together do not come back together.
        await sleep(pauseMs * (0.5 + Math.random() / 2));
      }
    },
    close: async () => {
      isClosed = true;
      await pool.close();
    },
  };
}

function mayPass(error: unknown): boolean {
  return error instanceof StepwellError && error.code === "STORE_UNREACHABLE" && sqlStateOf(error) !== tookTooLong;
}
