// `stepwell up`, and what `stepwell` alone does: engine and service in one process, until somebody stops it.

import { StepwellError } from "../../error.ts";
import { defineCommand, type Call, type Command, type Values } from "../command.ts";
import { commandOf } from "../program.ts";
import { readSettings } from "../settings.ts";
import { onStopSignal } from "../signals.ts";
import { showStore, storeOf } from "../view.ts";

const flags = {
  port: { value: "N", about: "where it listens; 7700, or the next one that is free" },
  host: { value: "HOST", about: "127.0.0.1 unless given; any other demands users" },
  "allow-host": { value: "NAME", about: "another name by which it is called", isRepeated: true },
  "no-demo": { about: "save no demo workflows in a new store" },
} as const;

const defaultPort = 7700;
/** When nobody has said which port. */
const portsTried = 20;

export const command: Command = defineCommand({
  operands: [],
  flags,
  isNobodys: true,
  details:
    "The engine and the service, on this machine alone unless --host says otherwise. Ctrl+C stops it in good order.",
  examples: ["up", "up --port 8080 --store postgres://ann@db.example.com/app"],
  async act(call) {
    const { out } = call;
    const stopping = Promise.withResolvers<void>();
    using _ = onStopSignal(() => stopping.resolve());
    const service = await open(call);
    for (const line of service.greeting) out.say(line);
    await stopping.promise;
    out.say("stopping: what is under way may finish; Ctrl+C once more ends it at once");
    await service.stop();
    return 0;
  },
});

type Service = { readonly greeting: readonly string[]; readonly stop: () => Promise<void> };

async function open(call: Call & { readonly values: Values<typeof flags> }): Promise<Service> {
  const { values, out } = call;
  const host = values.host ?? "127.0.0.1";
  const store = storeOf(call);
  const settings = readSettings(call);
  const [{ openEngine }, { gatherTools }, { createApp }, { isLoopbackHost, listen }, { saveDemos }] = await Promise.all(
    [
      import("../../open-engine.ts"),
      import("../tool-modules.ts"),
      import("../../server/app.ts"),
      import("../../server/serve.ts"),
      import("../demo-workflows.ts"),
    ],
  );
  const port = readPort(values.port);
  const listener = await listen({ host, port: port ?? defaultPort, triesMax: port === undefined ? portsTried : 1 });
  try {
    const engine = await openEngine({
      store,
      durability: values.durability === "fast" ? "fast" : "full",
      role: "up",
      address: listener.address,
      tools: await gatherTools(settings, out.say),
      workflows: settings.workflows,
      retention: settings.retention,
      onProblem: ({ message, code }) => out.say(`problem: ${message} (${code})`),
      ...(values.tz === undefined ? {} : { tz: values.tz }),
    });
    const isLoopback = isLoopbackHost(host);
    if (!isLoopback && (await engine.access.isOpen())) {
      await engine.stop();
      throw nobodyKnown(host);
    }
    const demos = values["no-demo"] ? 0 : await saveDemos(engine);
    const app = createApp(engine, {
      isLoopback,
      hosts: [...values["allow-host"], ...(isLoopback ? [] : [host])],
      onProblem: (error) =>
        out.say(`problem: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
    });
    listener.handle((request) => app.fetch(request));
    return {
      greeting: greet({ address: listener.address, store: showStore(store), demos }),
      stop: async () => {
        await listener.close();
        await engine.stop();
      },
    };
  } catch (error) {
    await listener.close();
    throw error;
  }
}

function readPort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d{1,5}$/u.test(text) && port <= 65_535) return port;
  throw new StepwellError("USAGE", `"${text}" is no port.`, { hint: "--port 7700, of 65535 at most" });
}

/** Beyond this machine nobody is let in unnamed. */
function nobodyKnown(host: string): StepwellError {
  return new StepwellError("NOT_ALLOWED", `Others can reach ${host}, and nobody is known yet who may do what.`, {
    hint: "stepwell user save YOU --key 130001 --key 'tool:*', then stepwell token create YOU --name mine",
  });
}

type Greeting = { readonly address: string; readonly store: string; readonly demos: number };

function greet({ address, store, demos }: Greeting): readonly string[] {
  const told = demos === 0 ? [] : [`${demos} demo workflows are saved; try:`];
  return [
    `Stepwell is up on ${address}, with ${store}`,
    `  API      ${address}/api/workflow   (described at ${address}/api/openapi.json)`,
    `  health   ${address}/health`,
    ...told,
    `  curl ${address}/api/workflow -d '{"name":"hello","input":{"who":"Ada"}}'`,
    `  curl ${address}/api/workflow`,
    `  ${commandOf("list")}`,
    "Ctrl+C stops it; runs that are under way go on at the next start.",
  ];
}
