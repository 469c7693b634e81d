// A house in which every text that people or tools can write is hostile: names of runs, of workflows and of steps, inputs,
// arguments, results, errors, questions and their answers.

import type { Json } from "../../../src/flow/json.ts";
import { openHouse, type House } from "../harness/house.ts";

export type HostileHouse = House & {
  /** A run for each group of texts. */
  readonly runs: readonly { readonly id: number; readonly texts: readonly string[] }[];
  /** Those of them that are saved. */
  readonly workflows: readonly string[];
};

/** So many steps in one run. */
const groupSize = 25;

export async function openHostileHouse(texts: readonly string[]): Promise<HostileHouse> {
  const house = await openHouse({
    tools: {
      say: ({ text }: { text?: string }) => ({ text, [text ?? ""]: [text] }),
      fail: ({ text }: { text?: string }) => {
        throw new Error(text);
      },
    },
  });
  const groups = Array.from({ length: Math.ceil(texts.length / groupSize) }, (_none, at) =>
    texts.slice(at * groupSize, (at + 1) * groupSize),
  );
  const runs = [];
  for (const group of groups) {
    const [first = ""] = group;
    const input = { [first]: group, marked: group.map(toMarkdown).join("\n\n") } as never;
    const { id } = await house.engine.start(toFlow(group), { name: nameOf(first), input });
    runs.push({ id, texts: group });
  }
  for (const text of texts.slice(0, 20)) {
    await house.engine.start(toGate(text), { name: nameOf(text), input: { text } });
    await house.engine.workflows
      .save(JSON.stringify(toFlow([text])), {
        name: nameOf(text),
        description: text.slice(0, 1000),
        note: text.slice(0, 500),
      })
      .catch(() => {});
  }
  for (const { id } of runs) await house.engine.result(id);
  const workflows = (await house.engine.workflows.list()).map(({ name }) => name);
  return { ...house, runs, workflows };
}

/** Names are not empty, and not too long. */
function nameOf(text: string): string {
  return text.trim().slice(0, 150) || "empty";
}

/** What stands between braces would be an expression. */
function literal(text: string): string {
  return text.replaceAll("{{", "{ {");
}

/** In every place that Markdown has for a text; so long that all of a group is drawn. */
function toMarkdown(text: string): string {
  const part = text.slice(0, 300);
  const inWords = [`[${part}](${part})`, `![${part}](${part})`, `<${part}>`, `**${part}**`, `_${part}_`, `\`${part}\``];
  return [
    `# ${part}`,
    ...inWords,
    `[a](https://a.example/${part})`,
    `> ${part}`,
    `- ${part}\n- [a](${part})`,
    part,
  ].join("\n\n");
}

function toFlow(texts: readonly string[]): Json {
  const steps = texts.map((text, at): [string, Json] => {
    const last = at === texts.length - 1;
    return [
      `s${at}`,
      {
        name: nameOf(`${at} ${text}`),
        tool: last ? "fail" : "say",
        args: { text: literal(text) },
        retry: { attempts: 1 },
        ...(last ? { done: true } : { next: `s${at + 1}` }),
      },
    ];
  });
  return { format: "stepwell/v1", start: "s0", steps: Object.fromEntries(steps) };
}

function toGate(text: string): Json {
  return {
    format: "stepwell/v1",
    start: "ask",
    steps: {
      ask: {
        gate: {
          title: literal(text).slice(0, 500),
          message: literal(`${text}\n\n${toMarkdown(text)}`),
          form: { type: "object", properties: { [text]: { type: "string", title: text, description: text } } },
        },
        routes: { approved: "end", rejected: "end" },
      },
      end: { done: true },
    },
  };
}
