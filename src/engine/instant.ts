// An instant as people and programs give it. Words ("tomorrow at 9am") are not understood here.

const shape = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/** Milliseconds of an ISO 8601 text; null: not understood. */
export function readInstant(text: string): number | null {
  const at = shape.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}
