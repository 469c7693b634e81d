// When something was written, from texts that often do not say in which zone: then UTC, whatever the zone of this machine.

/** NaN: it is no instant. */
export function parseInstant(text: string): number {
  const written = text.trim();
  // A time at the end, with no zone behind it.
  if (!/(?:^|[T\s])\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/i.test(written)) return Date.parse(written);
  return Date.parse(/^\d{4}-\d{2}-\d{2}T/i.test(written) ? `${written}Z` : `${written} UTC`);
}
