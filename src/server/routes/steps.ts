// Steps that wait: whoever may, lets them go on. The seeds' `/api/workflow/:step_id/ready` is the oldest of these.

import { z } from "@hono/zod-openapi";
import type { Engine } from "../../engine/engine.ts";
import type { Json } from "../../flow/json.ts";
import { tellingWhoAnswered } from "../answered.ts";
import type { App } from "../door.ts";
import { jsonSchema } from "../contract.ts";
import { readId } from "../reading.ts";
import { addRoute } from "../route.ts";

const tag = "Steps";
const answer = z.object({ id: z.int(), status: z.string() });

const decision = z.strictObject({
  comment: z.string().max(10_000).optional(),
  data: jsonSchema.optional(),
  hash: z.string().max(200).optional().describe("Of what was shown; 409 when something else is asked by now"),
});

export function addStepRoutes(app: App, program: Engine): void {
  addRoute(
    app,
    {
      method: "post",
      path: "/api/workflow/{step_id}/ready",
      about: "Let a step that waits go on: a gate is approved, a retry or a schedule begins now",
      tag,
      right: "answer",
      answer,
    },
    async ({ engine, visitor, named }) => {
      const id = readId(named("step_id"));
      await tellingWhoAnswered(engine.ready(id), () => program.readsFor(visitor.asker).rowAnywhere(id));
      return { id, status: "ready" };
    },
  );
  for (const verb of ["approve", "reject"] as const) {
    addRoute(
      app,
      {
        method: "post",
        path: `/api/workflow/{step_id}/${verb}`,
        about: verb === "approve" ? "Say yes at a gate" : "Say no at a gate",
        tag,
        right: "answer",
        body: decision,
        answer,
      },
      async ({ engine, visitor, named, body }) => {
        const id = readId(named("step_id"));
        const outcome = verb === "approve" ? "approved" : "rejected";
        const answered = engine.answer(id, { ...given(body), outcome });
        await tellingWhoAnswered(answered, () => program.readsFor(visitor.asker).rowAnywhere(id));
        return { id, status: verb === "approve" ? "approved" : "rejected" };
      },
    );
  }
  addRoute(
    app,
    {
      method: "post",
      path: "/api/workflow/{step_id}/answer",
      about: "Give a gate one of the answers that it takes",
      tag,
      right: "answer",
      body: decision.extend({ outcome: z.string().min(1).max(200) }),
      answer,
    },
    async ({ engine, visitor, named, body: { outcome, ...body } }) => {
      const id = readId(named("step_id"));
      const answered = engine.answer(id, { ...given(body), outcome });
      await tellingWhoAnswered(answered, () => program.readsFor(visitor.asker).rowAnywhere(id));
      return { id, status: outcome };
    },
  );
  addHeldRoutes(app);
}

/** Steps of which nobody knows what became, or where they go on. */
function addHeldRoutes(app: App): void {
  addRoute(
    app,
    {
      method: "post",
      path: "/api/workflow/{step_id}/resolve",
      about: "Say what became of an uncertain step",
      tag,
      right: "operate",
      body: z.strictObject({ how: z.enum(["retry", "done", "failed"]), result: jsonSchema.optional() }),
      answer,
    },
    async ({ engine, named, body: { how, result } }) => {
      const id = readId(named("step_id"));
      await engine.resolve(id, { how, result: result ?? null });
      return { id, status: how };
    },
  );
  addRoute(
    app,
    {
      method: "post",
      path: "/api/workflow/{step_id}/skip",
      about: "Let a step that is held go by",
      tag,
      right: "operate",
      answer,
    },
    async ({ engine, named }) => {
      const id = readId(named("step_id"));
      await engine.skip(id);
      return { id, status: "skipped" };
    },
  );
  addRoute(
    app,
    {
      method: "post",
      path: "/api/workflow/{step_id}/choose",
      about: "Say where a held step goes on; null: its path ends",
      tag,
      right: "operate",
      body: z.strictObject({ step: z.string().max(200).nullable() }),
      answer,
    },
    async ({ engine, named, body: { step } }) => {
      const id = readId(named("step_id"));
      await engine.choose(id, { step });
      return { id, status: step === null ? "ended" : "chosen" };
    },
  );
}

type Given = { readonly comment?: string; readonly data?: Json; readonly hash?: string };

function given({ comment, data, hash }: z.output<typeof decision>): Given {
  return {
    ...(comment === undefined ? {} : { comment }),
    ...(data === undefined ? {} : { data }),
    ...(hash === undefined ? {} : { hash }),
  };
}
