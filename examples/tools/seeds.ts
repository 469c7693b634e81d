// The tools that the flows in examples/seeds call. Each does something small that can be seen in a `SeedWorld`, in memory:
// `pushover_send` puts its message into a list, nothing goes anywhere. Those that change something know a call again by
// its idempotency key, so that a step that is tried twice happens once.
import { defineTool, outcome, ToolError, type Json, type JsonObject, type Tool, type ToolContext } from "stepwell";

type SeedDocument = { readonly id: string; readonly title: string; readonly body: string };
type SentMessage = { readonly by: string; readonly to: string; readonly message: string };

export type SeedWorld = {
  readonly admins: ReadonlySet<string>;
  readonly documents: Map<string, SeedDocument>;
  readonly outbox: SentMessage[];
  /** What was charged, booked and published: `payment A7: charged`. */
  readonly ledger: string[];
  /** What was answered to which key. */
  readonly answered: Map<string, Json>;
};

const text: JsonObject = { type: "string" };
const anyObject: JsonObject = { type: "object" };

export function createSeedWorld(): SeedWorld {
  const documents: readonly SeedDocument[] = [
    { id: "1", title: "AI safety", body: "How to keep systems that act for us within bounds." },
    { id: "2", title: "Tides", body: "Twice a day the sea comes and goes." },
    { id: "3", title: "Tea", body: "Water just off the boil, three minutes." },
  ];
  return {
    admins: new Set(["james"]),
    documents: new Map(documents.map((document) => [document.id, document])),
    outbox: [],
    ledger: [],
    answered: new Map(),
  };
}

/** `openEngine({ store: "stepwell.db", tools: createSeedTools(createSeedWorld()) })` */
export function createSeedTools(world: SeedWorld): readonly Tool[] {
  return [...createKnowledgeTools(world), ...createSmallTools(world), ...createFeedTools(), ...createShopTools(world)];
}

function takes(properties: JsonObject, ...required: readonly string[]): JsonObject {
  return { type: "object", properties, required };
}

/** The answer that was given to this key, or a new one. */
function once(world: SeedWorld, { idempotencyKey }: ToolContext, act: () => Json): Json {
  const known = world.answered.get(idempotencyKey);
  if (known !== undefined) return known;
  const answer = act();
  world.answered.set(idempotencyKey, answer);
  return answer;
}

function createKnowledgeTools(world: SeedWorld): readonly Tool[] {
  return [
    defineTool({
      name: "knowledge_search",
      description: "Documents that have one of the words",
      effect: "read",
      input: takes({ query: text }, "query"),
      output: { type: "array", items: anyObject },
      call: ({ query }: { query: string }) => {
        const words = query.toLowerCase().split(/\s+/).filter((word) => word !== "");
        const has = ({ title, body }: SeedDocument): boolean =>
          words.some((word) => `${title} ${body}`.toLowerCase().includes(word));
        return [...world.documents.values()].filter(has).map(({ id, title }) => ({ id, title }));
      },
    }),
    defineTool({
      name: "knowledge_get",
      description: "One document; null, with the outcome missing, when there is none",
      effect: "read",
      input: takes({ id: text }, "id"),
      outcomes: ["missing"],
      call: ({ id }: { id: string }) => world.documents.get(id) ?? outcome("missing", null),
    }),
    defineTool({
      name: "knowledge_add",
      description: "Keeps a document and gives its id",
      effect: "idempotent",
      input: takes({ title: text, body: text }),
      output: takes({ id: text }, "id"),
      call: ({ title = "Untitled", body = "" }: { title?: string; body?: string }, context) =>
        once(world, context, () => {
          const id = String(world.documents.size + 1);
          world.documents.set(id, { id, title, body });
          return { id };
        }),
    }),
  ];
}

function createSmallTools(world: SeedWorld): readonly Tool[] {
  let count = 0;
  return [
    defineTool({
      name: "get_greeting",
      description: "A greeting",
      effect: "read",
      input: takes({ name: text }),
      output: text,
      call: ({ name = "you" }: { name?: string }) => `Hello, ${name}!`,
    }),
    defineTool({
      name: "get_counter",
      description: "Counts the steps that asked",
      effect: "idempotent",
      input: anyObject,
      output: { type: "integer" },
      call: (_, context) => once(world, context, () => (count += 1)),
    }),
    defineTool({
      name: "is_admin",
      description: "Whether the one who started the run is an administrator",
      effect: "read",
      input: anyObject,
      output: { type: "boolean" },
      call: (_, { user }) => world.admins.has(user),
    }),
    createSender(world, { name: "pushover_send", channel: "pushover" }),
    createSender(world, { name: "telegram_notify", channel: "telegram" }),
    createSender(world, { name: "send_email", channel: "email" }),
  ];
}

/** Into the outbox instead of the network. In a pipeline the message is what the step before gave, unless its config
 *  names one. */
function createSender(world: SeedWorld, { name, channel }: { readonly name: string; readonly channel: string }): Tool {
  return defineTool({
    name,
    description: `Puts a message for ${channel} into a list`,
    effect: "idempotent",
    input: anyObject,
    output: text,
    call: (input, context) =>
      once(world, context, () => {
        const { config } = input;
        const configured = isObject(config) ? config["message"] : undefined;
        const message = input["message"] ?? configured ?? input["title"] ?? input["input"] ?? "";
        const written = typeof message === "string" ? message : JSON.stringify(message);
        world.outbox.push({ by: context.user, to: channel, message: written });
        return "sent";
      }),
  });
}

function createFeedTools(): readonly Tool[] {
  return [
    defineTool({
      name: "rss_fetch",
      description: "Three made-up items; none, or an error, where the run's input has feed: empty or feed: broken",
      effect: "read",
      input: anyObject,
      outcomes: ["items", "empty"],
      call: ({ input }) => {
        const feed = isObject(input) ? input["feed"] : undefined;
        if (feed === "broken") throw new ToolError({ code: "offline", message: "The feed does not answer.", isFinal: true });
        if (feed === "empty") return outcome("empty", []);
        return outcome("items", ["Tides", "Harbours", "Tea"].map((title) => ({ title })));
      },
    }),
    defineTool({
      name: "score_items",
      description: "A score for each item, by the length of its title",
      effect: "read",
      input: takes({ input: {} }, "input"),
      output: { type: "array", items: { type: "integer" } },
      call: ({ input }) => scoresOf(input ?? null),
    }),
    defineTool({
      name: "llm_transform",
      description: "Stands for a model: says what it was asked and gives the scores",
      effect: "read",
      input: anyObject,
      output: text,
      call: ({ input }) => `Scores: ${scoresOf(input ?? null).join(", ")}`,
    }),
  ];
}

function scoresOf(items: Json): readonly number[] {
  if (!Array.isArray(items)) return [];
  return items.map((item: unknown) => {
    const title = isObject(item) ? item["title"] : undefined;
    return typeof title === "string" ? title.length : 0;
  });
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A shop and a publisher whose books are one list. */
function createShopTools(world: SeedWorld): readonly Tool[] {
  const entries = [
    ["payment.charge", "order", "payment", "charged"],
    ["payment.refund", "order", "payment", "refunded"],
    ["carrier.book", "order", "parcel", "booked"],
    ["carrier.recall", "order", "parcel", "recalled"],
    ["cms.publish", "document", "document", "published"],
    ["cms.unpublish", "document", "document", "unpublished"],
  ] as const;
  return entries.map(([name, key, thing, done]) =>
    defineTool({
      name,
      description: `Notes that the ${thing} is ${done}`,
      effect: "idempotent",
      input: takes({ [key]: text, amount: { type: "number" } }, key),
      output: text,
      call: (input: { readonly order?: string; readonly document?: string }, context) =>
        once(world, context, () => {
          world.ledger.push(`${thing} ${input[key]}: ${done}`);
          return done;
        }),
    }),
  );
}

/** With a world of their own, for whoever only wants to see the flows run. */
export const seedTools: readonly Tool[] = createSeedTools(createSeedWorld());
