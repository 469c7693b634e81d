// An Express app whose orders are runs: whoever orders gets an answer at once, and nothing is lost when the process dies.
// `PORT=3000 node express.ts`, then: curl -d '{"item":"lamp","count":2}' -H 'content-type: application/json' :3000/orders
import express, { type ErrorRequestHandler } from "express";
import { errorCodes, StepwellError } from "stepwell";
import { openOrders, order } from "./orders.ts";

const engine = await openOrders();
const app = express();
// All that can be done over REST, for whoever has a token; before anything that reads what was sent.
app.use("/flows", engine.node());
app.use(express.json());

app.post("/orders", async (request, response) => {
  const key = request.get("idempotency-key");
  const { id, status } = await engine.start(order, { input: request.body, ...(key && { idempotencyKey: key }) });
  response.status(202).json({ id, status });
});

app.get("/orders/:id", async (request, response) => {
  const { status, output, steps } = await engine.get(Number(request.params.id));
  response.json({ status, output, steps: steps.map((step) => `${step.name} ${step.status}`) });
});

app.post("/orders/:id/approve", async (request, response) => {
  const { steps } = await engine.get(Number(request.params.id));
  await engine.approve(steps.find(({ status }) => status === "pending")?.id ?? 0, { by: "the shop" });
  response.json(await engine.result(Number(request.params.id), { timeoutMs: 5000 }));
});

const tellProblem: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (!(error instanceof StepwellError)) return next(error);
  const { code, message, hint } = error;
  response.status(errorCodes[code].status).json({ code, message, hint });
};
app.use(tellProblem);

const server = app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1", () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === "object" ? address?.port : address}`);
});
process.once("SIGTERM", () => server.close(() => void engine.stop()));
