// Tools with schemas: what they are given and what they answer is checked, and what does not fit is told in words.
import { defineTool, openEngine, outcome } from "stepwell";
import * as z from "zod"; // or any other library that speaks Standard Schema

const score = defineTool({
  name: "news.score",
  description: "Scores a title from 0 to 100",
  effect: "read",
  input: z.object({ title: z.string(), weight: z.number().default(1) }),
  output: z.object({ score: z.number() }),
  call: ({ title, weight }, { log }) => {
    log(`scoring ${title}`);
    return { score: Math.min(title.length * weight, 100) };
  },
});

const find = defineTool({
  name: "news.find",
  effect: "read",
  input: { type: "object", properties: { topic: { type: "string" } }, required: ["topic"] },
  outcomes: ["items", "empty"],
  call: ({ topic }) => (topic === "tides" ? outcome("items", ["Tides and harbours"]) : outcome("empty")),
});

await using engine = await openEngine({ store: process.argv[2] ?? "stepwell.db", tools: [find, score] });

const flow = {
  find: { tool: "news.find", args: { topic: "{{ input.topic }}" }, routes: { items: "score", empty: "nothing" } },
  score: { tool: "news.score", args: { title: "{{ previous[0] }}", weight: "{{ input.weight }}" }, done: true },
  nothing: { set: { score: 0 }, done: true },
};
for (const [topic, weight] of [["tides", 2], ["rocks", 1], ["tides", "heavy"]] as const) {
  const { id } = await engine.start(flow, { input: { topic, weight } });
  const { output, error } = await engine.result(id);
  console.log(error?.message ?? JSON.stringify(output));
}
