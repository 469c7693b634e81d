// A call on a connection, from its place in front of the server to its answer. It is sent in the very moment in which its
// turn comes, and makes room for the next one in the very moment in which its answer is read. One object is all that a
// call is on its way: what waits, what is asked, what is told. There are as many as calls.

import type { Progress } from "@modelcontextprotocol/client";
import type { JsonObject } from "../../flow/json.ts";
import type { Beginner } from "./askers.ts";
import type { ToolDefinition } from "./contract.ts";
import type { ElicitAnswer } from "./elicitation.ts";
import { LinkProblem } from "./link-problem.ts";
import type { PipeCaller, PipeParams } from "./pipe-calls.ts";

export type CallParams = PipeParams & {
  readonly inputResponses?: { readonly [key: string]: ElicitAnswer };
  readonly requestState?: string;
};

/** How a connection makes its calls. */
export interface CallWay {
  /** Tells it to go when it has its place and its turn, at once or later. */
  begin(call: LinkCall): void;
  /** Throws when it cannot be sent at all. */
  send(call: LinkCall, params: CallParams, definition: ToolDefinition): void;
  /** It is over, whether it was sent or not. */
  end(call: LinkCall): void;
}

export abstract class LinkCall implements Beginner, PipeCaller {
  readonly task: null = null;
  isLeft = false;
  line: NonNullable<Beginner["line"]> | null = null;
  request: NonNullable<PipeCaller["request"]> | null = null;
  isInside = false;
  isAtWork = false;
  #under: UnderWay | null = null;

  /** Made when somebody asks for it. */
  abstract readonly signal: AbortSignal;
  abstract readonly leftFor: unknown;
  /** It has waited for its turn: throws `not_sent` where it must not be sent any more. A promise only when it has to wait
   *  for that. */
  abstract recheck(): Promise<void> | undefined;
  abstract ask(params: JsonObject): Promise<ElicitAnswer>;
  abstract prolong(isBeginning?: boolean): void;
  abstract onprogress(progress: Progress): void;

  /** Resolves with the answer. It may be made again when that has come. */
  make(way: CallWay, params: CallParams, definition: ToolDefinition): Promise<JsonObject> {
    return new Promise((resolve, reject) => {
      const under = new UnderWay(way, params, definition);
      under.resolve = resolve;
      under.reject = reject;
      this.#under = under;
      way.begin(this);
      under.hasWaited = true;
    });
  }

  go(): void {
    if (this.#under?.hasWaited !== true) return this.#send();
    try {
      const checking = this.recheck();
      if (checking === undefined) return this.#send();
      checking.then(
        () => this.#send(),
        (error: unknown) => this.failed(toNotSent(error)),
      );
    } catch (error) {
      this.#failLater(error);
    }
  }

  left(problem: LinkProblem): void {
    this.#failLater(toNotSent(problem));
  }

  done(result: JsonObject): void {
    this.#end()?.resolve(result);
  }

  failed(error: unknown): void {
    this.#end()?.reject(error);
  }

  /** Nobody wants the result any more. */
  protected leave(): void {
    this.isLeft = true;
    this.line?.leave(this);
    this.request?.pipe.leave(this.request.id);
  }

  #send(): void {
    const under = this.#under;
    if (this.isLeft) return this.#failLater(notSent());
    try {
      under?.way.send(this, under.params, under.definition);
    } catch (error) {
      this.#failLater(error);
    }
  }

  #end(): UnderWay | null {
    const under = this.#under;
    this.#under = null;
    under?.way.end(this);
    return under;
  }

  /** Not at once: that makes room for the next one, which may fail as well, and so on through all that wait; or which
   *  nobody wants any more either, and is told so in a moment. */
  #failLater(error: unknown): void {
    queueMicrotask(() => this.failed(error));
  }
}

/** A class for the same reason as `Waiting` of the line. */
class UnderWay {
  readonly way: CallWay;
  readonly params: CallParams;
  readonly definition: ToolDefinition;
  resolve: (result: JsonObject) => void = tellNobody;
  reject: (error: unknown) => void = tellNobody;
  hasWaited = false;

  constructor(way: CallWay, params: CallParams, definition: ToolDefinition) {
    this.way = way;
    this.params = params;
    this.definition = definition;
  }
}

function tellNobody(): void {}

function toNotSent(error: unknown): unknown {
  return error instanceof LinkProblem && error.code === "left" ? notSent() : error;
}

function notSent(): LinkProblem {
  return new LinkProblem("not_sent", "Nobody waited for it any more before it was sent. Nothing was called.");
}
