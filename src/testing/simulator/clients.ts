// Those who send messages from outside. A client that gets no answer sends the same message again, under the same id:
// when the network loses or doubles it, and when the engine comes back after a crash.

import type { Plan } from "../../flow/plan.ts";
import type { Reply } from "../../run/decision.ts";
import type { Message } from "../../run/message.ts";
import type { RunId } from "../../run/model.ts";
import type { Delivery } from "./process.ts";
import type { World } from "./world.ts";

/** A message before its sender has given it an id. */
export type MessageBody = Message extends infer Each ? (Each extends Message ? Omit<Each, "id"> : never) : never;

export interface Clients {
  /** `plan`: of a run that is to be started. */
  send(run: RunId, body: MessageBody, plan?: Plan): void;
  replied(delivery: Delivery, reply: Reply): void;
  /** The engine is back: what was not answered is sent again. */
  restarted(): void;
  /** From now on the network is quick and loses nothing. */
  heal(): void;
  /** How often each refusal was heard. */
  readonly refusals: ReadonlyMap<string, number>;
}

export function createClients(world: World, deliver: (delivery: Delivery) => boolean): Clients {
  const { random } = world;
  const unanswered = new Map<string, Delivery>();
  const refusals = new Map<string, number>();
  let isHealed = false;
  let sent = 0;
  const drawDelay = (): number => (isHealed || random.chance(0.9) ? random.integer(40) : random.integer(60_000));
  const post = (delivery: Delivery): void => {
    world.after(drawDelay(), () => deliver(delivery));
    if (!isHealed && random.chance(0.08)) world.after(drawDelay(), () => deliver(delivery));
  };
  return {
    refusals,
    send(run, body, plan) {
      sent += 1;
      const message = { ...body, id: `client:${sent}` } as Message;
      const delivery = { run, message, plan: plan ?? null };
      unanswered.set(message.id, delivery);
      post(delivery);
    },
    replied({ message }, reply) {
      unanswered.delete(message.id);
      if (reply.kind === "refused") refusals.set(reply.code, (refusals.get(reply.code) ?? 0) + 1);
    },
    restarted() {
      for (const delivery of unanswered.values()) post(delivery);
    },
    heal() {
      isHealed = true;
    },
  };
}
