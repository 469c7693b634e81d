// A saved workflow as the page holds it.

import type { Json } from "./json.ts";

export type Workflow = {
  readonly id: number;
  readonly name: string;
  readonly version: number;
  readonly hash: string;
  readonly isEnabled: boolean;
  readonly description: string | null;
  readonly input: Json;
  readonly createdBy: string;
  readonly createdAt: number;
  readonly updatedBy: string;
  readonly updatedAt: number;
  readonly deletedAt: number | null;
};

export type WholeWorkflow = Workflow & {
  readonly newestVersion: number;
  readonly note: string | null;
  readonly flow: Json;
  /** As it was written, with comments and layout. */
  readonly text: string | null;
};
