// The same with Hono, on Node's own server; on Bun or Deno only the last lines differ.
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { errorCodes, StepwellError, type Json } from "stepwell";
import { openOrders, order } from "./orders.ts";

const engine = await openOrders();
const app = new Hono();

app.post("/orders", async (context) => {
  const key = context.req.header("idempotency-key");
  const input = await context.req.json<Json>();
  const { id, status } = await engine.start(order, { input, ...(key && { idempotencyKey: key }) });
  return context.json({ id, status }, 202);
});

app.get("/orders/:id", async (context) => {
  const { status, output, steps } = await engine.get(Number(context.req.param("id")));
  return context.json({ status, output, steps: steps.map((step) => `${step.name} ${step.status}`) });
});

app.post("/orders/:id/approve", async (context) => {
  const id = Number(context.req.param("id"));
  const { steps } = await engine.get(id);
  await engine.approve(steps.find(({ status }) => status === "pending")?.id ?? 0, { by: "the shop" });
  return context.json(await engine.result(id, { timeoutMs: 5000 }));
});

// All that can be done over REST, for whoever has a token.
app.mount("/flows", engine.fetch);

app.onError((error, context) => {
  if (!(error instanceof StepwellError)) return context.json({ code: "UNEXPECTED" }, 500);
  const { code, message, hint } = error;
  return context.json({ code, message, hint }, errorCodes[code].status);
});

const server = serve({ fetch: app.fetch, port: Number(process.env["PORT"] ?? 3000), hostname: "127.0.0.1" }, (address) =>
  console.log(`http://127.0.0.1:${address.port}`),
);
process.once("SIGTERM", () => server.close(() => void engine.stop()));
