import { expect, test } from "vitest";
import { sampleGraph, sampleNode } from "./graph-sample.ts";
import type { Json } from "./json.ts";
import { sampleOutline, sampleStep } from "./run-sample.ts";
import type { Outline, Step } from "./run.ts";
import { sourcesOf, type ArgumentSources } from "./value-sources.ts";

/** `topic: input.topic -> the run's input`. */
function told(found: readonly ArgumentSources[]): readonly string[] {
  return found.flatMap(({ argument, sources }) =>
    sources.map(({ text, leads }) => {
      const ways = leads.map((lead) => (lead.kind === "step" ? `${lead.key}/${lead.part ?? "overview"}` : lead.word));
      return `${argument}: ${text} -> ${ways.join(" + ")}`;
    }),
  );
}

const graph = sampleGraph(["fetch > publish"]);
const fetch = sampleStep({ id: 1, key: "fetch" });
const publish = sampleStep({ id: 2, key: "publish", causedBy: 1 });
const outline = sampleOutline([fetch, publish], { graph });

function of(args: Json, row: Step = publish, all: Outline = outline): readonly string[] {
  return told(sourcesOf({ steps: { [row.key]: { tool: "x", args } } }, row, all));
}

test("each argument that is an expression names what it reads and where that is", () => {
  const args = {
    topic: "{{ input.topic }}",
    plain: "as it stands here",
    list: [{ text: "{{ steps.fetch.result.items[0] }} ({{ steps.fetch.attempts }}, {{ steps.fetch.error.code }})" }],
    all: "{{ previous }}",
    headers: { authorization: "Bearer {{ secrets.API_TOKEN }}" },
  };
  expect(of(args)).toEqual([
    "topic: input.topic -> the run's input",
    "list[0].text: steps.fetch.result.items[0] -> fetch/output",
    "list[0].text: steps.fetch.attempts -> fetch/overview",
    "list[0].text: steps.fetch.error.code -> fetch/error",
    "all: previous -> fetch/output",
    "headers.authorization: secrets.API_TOKEN -> a secret: the run holds its name, never its value",
  ]);
});

test("previous is the input at the first step, also when it is tried again", () => {
  const again = sampleStep({ id: 3, key: "fetch", attempt: 2, causedBy: 1 });
  const all = sampleOutline([fetch, again], { graph });
  expect(of("{{ previous.a }}", fetch, all)).toEqual([": previous.a -> the run's input"]);
  expect(of("{{ previous.a }}", again, all)).toEqual([": previous.a -> the run's input"]);
});

test("previous is the step that led here: the failed one after an error, the one that input_from names", () => {
  const failed = sampleOutline([{ ...fetch, status: "failed" }, publish], { graph });
  expect(of("{{ previous.error.message }}", publish, failed)).toEqual([": previous.error.message -> fetch/error"]);
  const flow = { steps: { publish: { tool: "x", args: "{{ previous }}", input_from: "other" } } };
  const three = sampleOutline([fetch, publish], { graph: sampleGraph(["other > fetch", "fetch > publish"]) });
  expect(told(sourcesOf(flow, publish, three))).toEqual([": previous -> other/output"]);
});

test("at a join previous is every branch, and a name in it is that branch", () => {
  const joined = sampleGraph(["fetch > left", "fetch > right", "left > publish", "right > publish"], {
    fetch: { isFork: true, join: "publish" },
  });
  const links = joined.links.map((link) => (link.to === "publish" ? { ...link, kind: "join" } : link));
  const all = sampleOutline([fetch, publish], { graph: { ...joined, links } });
  expect(of("{{ previous }}", publish, all)).toEqual([": previous -> left/output + right/output"]);
  expect(of("{{ previous.left.text }}", publish, all)).toEqual([": previous.left.text -> left/output"]);
});

test("a step of a pipeline that says nothing is given what the one before it gave; steps answer to their numbers", () => {
  const pipeline = {
    ...sampleGraph(["step_1 > send"]),
    notation: "pipeline" as const,
    nodes: [sampleNode("step_1"), sampleNode("send", { pointer: "/steps/1" })],
  };
  const send = sampleStep({ id: 2, key: "send", causedBy: 1 });
  const all = sampleOutline([sampleStep({ id: 1, key: "step_1" }), send], { graph: pipeline });
  expect(told(sourcesOf({ steps: [{ tool: "a" }, { name: "send", tool: "b" }] }, send, all))).toEqual([
    "input: previous -> step_1/output",
  ]);
  const flow = { steps: [{ tool: "a" }, { name: "send", tool: "b", args: { text: "{{ steps[1].result }}" } }] };
  expect(told(sourcesOf(flow, send, all))).toEqual(["text: steps[1].result -> step_1/output"]);
});

test("the list of an each is told of beside its items", () => {
  const flow = {
    steps: { publish: { tool: "x", args: { t: "{{ item.t }}" }, each: { items: "{{ steps.fetch.result }}" } } },
  };
  expect(told(sourcesOf(flow, publish, outline))).toEqual([
    "t: item.t -> the item and its place",
    "each.items: steps.fetch.result -> fetch/output",
  ]);
});

test("a flow that says nothing, or of which nothing is known, tells of no source", () => {
  expect(sourcesOf({ steps: {} }, publish, sampleOutline([publish]))).toEqual([]);
  expect(of({ text: "{{ steps.gone.result }}" })).toEqual(["text: steps.gone.result -> "]);
});
