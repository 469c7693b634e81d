// What was thrown, in words. Anything can be thrown, also what has no text and what throws when it is read.

export function messageOfThrown(error: unknown): string {
  try {
    const message: unknown = error instanceof Error ? error.message : error;
    return String(message).toWellFormed();
  } catch {
    return "It failed with what has no text.";
  }
}
