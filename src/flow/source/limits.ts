// What may be read at all; each limit has a finding of its own.

/** Of nested lists and maps. */
export const depthLimit = 128;

/** Of the text, in bytes of UTF-8. */
export const bytesLimit = 1_048_576;

/** Of all values in a flow given as a value: about what a text of the largest size can hold. */
export const nodeLimit = 250_000;
