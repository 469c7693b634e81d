// Flows to begin with.

export type Example = {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** Its steps, as a line of words. */
  readonly shape: readonly string[];
  readonly text: string;
};

export const blank = `format: stepwell/v1
name: my-workflow
description: What it is for
start: first
steps:
  first:
    tool: demo.echo
    args: { text: "Hello" }
    done: true
`;

export const examples: readonly Example[] = [
  {
    id: "sequence",
    title: "One after the other",
    about: "Two calls; the second uses what the first answered.",
    shape: ["greet", "tell"],
    text: `# One step after the other: {{ previous }} is what the step before answered.
format: stepwell/v1
name: greeting
description: Greet somebody
input: { type: object, required: [who], properties: { who: { type: string, title: Who } } }
start: greet
steps:
  greet:
    tool: demo.echo
    args: { text: "Hello {{ input.who }}" }
    next: tell
  tell:
    tool: log
    args: { message: "{{ previous }}" }
    done: true
`,
  },
  {
    id: "approval",
    title: "Ask a person",
    about: "A gate holds the run until somebody says yes or no.",
    shape: ["write", "review", "publish or drop"],
    text: `# The run waits at the gate, for days if it must, and goes on where the answer leads.
format: stepwell/v1
name: approval
description: Publish something after a yes
input: { type: object, properties: { topic: { type: string } } }
defaults:
  input: { topic: tides }
start: write
steps:
  write:
    tool: demo.echo
    args: { text: "All about {{ input.topic }}" }
    next: review
  review:
    gate: { title: 'Publish "{{ previous }}"?', expires_after: 2d }
    routes: { approved: publish, rejected: drop, expired: drop }
  publish:
    tool: log
    args: { message: "Published: {{ steps.write.result }}" }
    done: true
  drop: { terminal: cancel }
`,
  },
  {
    id: "parallel",
    title: "Several at once",
    about: "Three branches begin together, and a step waits for all of them.",
    shape: ["split", "quick + slow + rate", "collect"],
    text: `# What is under parallel begins at once; join says where it comes together again.
format: stepwell/v1
name: several-at-once
description: Three jobs at once, one of them over a list
start: split
steps:
  split:
    set: { titles: [Tides, Harbours, Lighthouses] }
    parallel: [quick, slow, rate]
    join: collect
  quick: { tool: demo.sleep, args: { ms: 300 } }
  slow: { tool: demo.sleep, args: { ms: 900 } }
  rate:
    tool: demo.score
    args: { title: "{{ item }}" }
    each: { items: "{{ steps.split.result.titles }}", concurrency: 2 }
  collect:
    tool: log
    args: { message: "All three are done." }
    done: true
`,
  },
  {
    id: "retry",
    title: "When things go wrong",
    about: "A call is tried again, and another step takes over when it fails for good.",
    shape: ["call", "tell or sorry"],
    text: `# retry says how often and when; on_error says who takes over when that did not help.
format: stepwell/v1
name: try-again
description: A call that fails twice before it works
start: call
steps:
  call:
    tool: demo.flaky
    retry: { attempts: 3, backoff: [1s, 2s] }
    timeout: 10s
    on_error: sorry
    next: tell
  tell:
    tool: log
    args: { message: "It worked." }
    done: true
  sorry:
    tool: log
    args: { message: "It did not: {{ steps.call.error.message }}" }
    done: { kind: failure, message: The call did not work }
`,
  },
  {
    id: "machine",
    title: "States and events",
    about: "A machine that moves when somebody fires a transition.",
    shape: ["draft", "review", "published or withdrawn"],
    text: `# A machine: it stays in a state until one of its transitions is fired.
format: stepwell/v1
name: document-review
description: A document on its way to being published
states:
  draft: { initial: true }
  review: {}
  published: { terminal: success }
  withdrawn: { terminal: cancel }
transitions:
  - { name: submit, from: draft, to: review }
  - { name: publish, from: review, to: published, action: { tool: log, args: { message: It is out. } } }
  - { name: withdraw, from: [draft, review], to: withdrawn, requires_reason: true }
`,
  },
];

export function exampleNamed(id: string): Example | null {
  return examples.find((example) => example.id === id) ?? null;
}
