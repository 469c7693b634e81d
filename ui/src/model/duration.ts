// Lengths of time as flows write them. Whether one is too long, the server says.

const unit = "(?:ms|s|m|h|d|w|milliseconds?|sec(?:ond)?s?|min(?:ute)?s?|h(?:ou)?rs?|days?|weeks?)";
const shape = new RegExp(`^(?:\\d+(?:\\.\\d+)?\\s*${unit}\\s*)+$`);

/** null: it is one. */
export function problemOfDuration(text: string): string | null {
  if (shape.test(text.trim())) return null;
  return "Write how long, with a unit: 30s, 5m, 1h30m, 2 days.";
}
