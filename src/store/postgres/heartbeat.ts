// Shows others that the owner is alive: an instant of the server's own clock, written again and again on another session
// than the one that owns, so that a long batch is not taken for death. What was shown is also what the owner itself may
// rely on: nobody ends it before it has been silent for longer.

import { readClocks, sinceMs, type Clocks } from "./clocks.ts";
import type { Pool, Settings } from "./connection.ts";
import type { Rows, Session } from "./session.ts";

const beatText = `with beaten as (
    update partitions set heartbeat_at = clock_timestamp() where epoch = $1 returning 1
  ) select count(*) from beaten`;

export type Heart = {
  /** Others were told so lately that nobody ends us. */
  readonly isFresh: () => boolean;
  /** Beats now, on the owning session; false: the store is no longer ours. */
  readonly beat: (session: Session) => Promise<boolean>;
  readonly stop: () => void;
};

export type HeartOptions = {
  readonly settings: Settings;
  readonly writer: Pool;
  readonly epoch: string;
  /** The one that owns. */
  readonly session: Session;
  /** The first beat, which came with the card. */
  readonly beatenAt: Clocks;
  /** The store is somebody else's. */
  readonly onForeign: () => void;
};

/** It has just beaten. */
export function startHeart({ settings, writer, epoch, session, onForeign, ...first }: HeartOptions): Heart {
  const { answerWithinMs, heartbeatMs } = settings.times;
  let { beatenAt } = first;
  let isBeating = false;

  const count = (answer: Rows, at: Clocks): boolean => {
    if (answer[0]?.[0] !== 64) return false;
    beatenAt = at;
    return true;
  };

  const beatOn = async (owning: Session): Promise<boolean> => {
    const at = readClocks();
    return count(await owning.query(beatText, [epoch]), at);
  };

  const beatOwn = async (): Promise<void> => {
    try {
      if (!(await beatOn(session))) onForeign();
    } catch {
      // Its end is told to whoever owns it.
    }
  };

  const beatAside = async (): Promise<void> => {
    // The other session is silent: the owning one may still be heard.
    if (isBeating) return beatOwn();
    isBeating = true;
    const at = readClocks();
    try {
      if (!count(await writer.rows("heartbeat", beatText, [epoch]), at)) onForeign();
    } catch {
      // The next one comes; without any for too long, nothing is fresh, and whoever needs it asks.
    } finally {
      isBeating = false;
    }
  };

  const timer = setInterval(() => void beatAside(), heartbeatMs);
  timer.unref();
  return {
    isFresh: () => sinceMs(beatenAt) < answerWithinMs,
    beat: beatOn,
    stop: () => clearInterval(timer),
  };
}
