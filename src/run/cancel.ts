import type { Draft } from "./draft.ts";
import type { MessageOf } from "./message.ts";

export function cancel(_draft: Draft, _message: MessageOf<"cancel">): void {}
