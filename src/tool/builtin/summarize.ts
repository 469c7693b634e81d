// A summary by picking: a sentence counts as much as its words are used in the whole text, and the best ones are given
// in the order in which they stand. Nothing is invented, and the same text gives the same summary.

/** Beyond this a text is not read: a summary of a book takes another tool. */
const readLengthMax = 200_000;
/** Of one sentence; a text without a full stop is one. */
const sentenceLengthMax = 400;
/** Shorter words are mostly articles and pronouns, in any language that has them. */
const wordLengthMin = 4;

type Sentence = { readonly text: string; readonly at: number; readonly weight: number };

export function summarize(text: string, sentencesMax: number): string {
  const sentences = sentencesOf(text.slice(0, readLengthMax).toWellFormed());
  if (sentences.length <= sentencesMax) return sentences.map(cut).join(" ");
  const uses = countWords(sentences);
  const weighed = sentences.map((sentence, at): Sentence => ({ text: sentence, at, weight: weigh(sentence, uses) }));
  const best = weighed.toSorted((a, b) => b.weight - a.weight || a.at - b.at).slice(0, sentencesMax);
  return best
    .toSorted((a, b) => a.at - b.at)
    .map((sentence) => cut(sentence.text))
    .join(" ");
}

function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?…。！？])\s|\n/u)
    .map((sentence) => sentence.replaceAll(/\s+/gu, " ").trim())
    .filter((sentence) => sentence !== "");
}

function wordsOf(sentence: string): readonly string[] {
  return sentence.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function countWords(sentences: readonly string[]): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const sentence of sentences) for (const word of wordsOf(sentence)) uses.set(word, (uses.get(word) ?? 0) + 1);
  return uses;
}

/** By the root of its length: long sentences would win otherwise, and one-word sentences if it were the whole. */
function weigh(sentence: string, uses: ReadonlyMap<string, number>): number {
  const words = wordsOf(sentence);
  const telling = words.filter((word) => word.length >= wordLengthMin);
  const sum = telling.reduce((total, word) => total + (uses.get(word) ?? 0), 0);
  return words.length === 0 ? 0 : sum / Math.sqrt(words.length);
}

function cut(sentence: string): string {
  if (sentence.length <= sentenceLengthMax) return sentence;
  return `${sentence.slice(0, sentenceLengthMax).toWellFormed().trimEnd()} …`;
}
