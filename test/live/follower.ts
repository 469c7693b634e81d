// A client as a browser is one: it follows from the first commit on, comes back behind the last event that it has seen
// whenever the connection breaks, and folds what it hears into the newest status of each run and step.

import { get, type ClientRequest, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

type Told = {
  readonly changes: readonly { readonly run_id: number; readonly step_id: number | null; readonly status: string }[];
};

/** How soon it comes back. */
const againMs = 20;

export class Follower {
  readonly #port: number;
  /** By the id of a run or a step. */
  readonly statuses: Map<number, string> = new Map();
  /** What must not happen. */
  readonly problems: string[] = [];
  events: number = 0;
  connections: number = 0;
  #cursor = "0";
  #isOver = false;
  #request: ClientRequest | null = null;
  #following: Promise<void> | null = null;

  constructor(port: number) {
    this.#port = port;
  }

  start(): void {
    this.#following = this.#follow();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    this.#request?.destroy();
    await this.#following;
  }

  async #follow(): Promise<void> {
    while (!this.#isOver) {
      await this.#connect();
      if (!this.#isOver) await sleep(againMs);
    }
  }

  /** Until the connection is gone. */
  async #connect(): Promise<void> {
    const gone = Promise.withResolvers<void>();
    const headers = { "last-event-id": this.#cursor };
    const options = { host: "127.0.0.1", port: this.#port, path: "/api/events", headers, agent: false };
    this.#request = get(options, (response) => {
      // Too early: it starts.
      if (response.statusCode !== 200) return void response.resume().once("close", gone.resolve);
      this.connections += 1;
      this.#read(response);
      response.once("error", () => {}).once("close", gone.resolve);
    });
    this.#request.once("error", () => gone.resolve());
    await gone.promise;
  }

  /** What was cut off within an event is no event. */
  #read(response: IncomingMessage): void {
    let text = "";
    response.setEncoding("utf8").on("data", (piece: string) => {
      const blocks = (text + piece).split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) this.#take(block);
    });
  }

  #take(block: string): void {
    const fields = new Map(
      block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
    );
    const id = fields.get("id");
    const event = fields.get("event");
    if (event === "change") {
      this.events += 1;
      if (Number(id) <= Number(this.#cursor)) this.problems.push(`event ${id} came after ${this.#cursor}`);
      const { changes } = JSON.parse(fields.get("data") ?? "") as Told;
      for (const { run_id, step_id, status } of changes) this.statuses.set(step_id ?? run_id, status);
    } else if (event !== undefined && event !== "changed" && event !== "progress")
      this.problems.push(`${event} came, though all is kept`);
    if (id !== undefined) this.#cursor = id;
  }
}
