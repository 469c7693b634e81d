// What may be read at all; each limit has a finding of its own.

/** Of nested lists and maps. */
export const depthLimit = 128;

/** Of a key, in characters: what is wrong is told by its path, which holds all keys above it, once for each place. */
export const keyLimit = 1024;

/** Of the text, in bytes of UTF-8. */
export const bytesLimit = 1_048_576;

/** Of all values in a flow given as a value: about what a text of the largest size can hold. */
export const nodeLimit = 250_000;

/** Of what is said about one text: after the first ones the rest is mostly their consequence. */
export const problemsLimit = 20;

/** Of words, signs and spaces in YAML: ordinary text has about three characters to each; it bounds the time of others. */
export const tokensLimit = 500_000;

/** Of aliases in YAML, and of the values that all of them together add. */
export const aliasesLimit = 100;
export const aliasedLimit = 10_000;
