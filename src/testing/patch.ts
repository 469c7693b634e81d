// JSON Patch, for tests: the same that is put into texts.

export { applyPatch, valueAt } from "../flow/patch-value.ts";
