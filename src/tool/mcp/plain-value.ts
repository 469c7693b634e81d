// Which of the values that the environment fills in are surely no secrets. Everything else is hidden wherever a server
// repeats it, also in results; hiding these would spoil results that flows go on with: a file's path, where a service
// lies, a region. Pure.

import { isPlainAddress, secretName } from "./target-text.ts";

/** One word, or a region of a cloud. */
const word = /^[a-z]{1,12}$|^[a-z]{2}(?:-[a-z]{3,12}){1,2}-\d$|^\d{1,8}$/;
const path = /^(?:~|[A-Za-z]:)?(?:[\\/][\w. -]{1,40})+[\\/]?$/;

/** `names`: by which it is called, in the environment and where it was filled in. */
export function isPlainValue(value: string, names: string): boolean {
  if (secretName.test(names)) return false;
  return word.test(value) || (path.test(value) && !hasRandomPart(value)) || isPlainAddress(value);
}

/** Keys in base64 may begin with a slash, too. */
function hasRandomPart(text: string): boolean {
  return text.split(/[\\/]/).some((part) => /[a-z]/.test(part) && /[A-Z]/.test(part) && /\d/.test(part));
}
