// Finding a text in a text in linear time. The engine's own search can take the product of both lengths on texts that
// were made for it, so it serves only parts too short for that to matter.

const shortMax = 16;

/** Where `part` begins in `text`, left to right, without overlap. */
export function* findText(text: string, part: string): Generator<number, void> {
  if (part.length > text.length) return;
  if (part.length > shortMax) {
    yield* findLongText(text, part);
    return;
  }
  let at = text.indexOf(part);
  while (at !== -1) {
    yield at;
    at = text.indexOf(part, at + part.length);
  }
}

/** Knuth, Morris and Pratt: what has matched so far tells how far the part may be moved. */
function* findLongText(text: string, part: string): Generator<number, void> {
  const borders = bordersOf(part);
  let matched = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    while (matched > 0 && part.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (part.charCodeAt(matched) === unit) matched += 1;
    if (matched === part.length) {
      yield index - matched + 1;
      matched = 0;
    }
  }
}

/** For each length of `part` the longest beginning that is also its end. */
function bordersOf(part: string): Int32Array {
  const borders = new Int32Array(part.length);
  let matched = 0;
  for (let index = 1; index < part.length; index += 1) {
    const unit = part.charCodeAt(index);
    while (matched > 0 && part.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (part.charCodeAt(matched) === unit) matched += 1;
    borders[index] = matched;
  }
  return borders;
}
