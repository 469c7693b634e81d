import type { FlowStep } from "../flow/plan.ts";
import type { Draft } from "./draft.ts";
import type { ChildMessage } from "./message.ts";
import type { Row } from "./model.ts";
import type { Extras } from "./values.ts";

export function openChild(_draft: Draft, _row: Row, _step: FlowStep, _extras: Extras = {}): void {}
export function childEnded(_draft: Draft, _message: ChildMessage): void {}
export function timeOutChild(_draft: Draft, _row: Row): void {}
