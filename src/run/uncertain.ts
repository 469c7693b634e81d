import type { Json } from "../flow/json.ts";
import type { Draft } from "./draft.ts";
import type { MessageOf, ResolveMessage } from "./message.ts";
import type { Row } from "./model.ts";

export function startProbe(_draft: Draft, _row: Row): void {}
export function finishProbe(_draft: Draft, _probe: Row, _result: Json): void {}
export function resolve(_draft: Draft, _message: ResolveMessage): void {}
export function choose(_draft: Draft, _message: MessageOf<"choose">): void {}
export function skip(_draft: Draft, _message: MessageOf<"skip">): void {}
