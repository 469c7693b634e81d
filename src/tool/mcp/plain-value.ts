// Which of the values that the environment fills in are surely no secrets, and which surely are. All but the first are
// hidden where a server speaks to people: errors, logs, progress, descriptions. In results only the second are: flows go
// on with them, and the name of a customer or of a host that became "[hidden]" would lead them astray. Pure.

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

/** Whole words of a name: an author is no auth, and a keyboard no key. */
const secretWord =
  /(?:^|[^A-Za-z])(?:api)?(?:keys?|tokens?|secrets?|passwords?|passwd|passphrase|pwd|pass|credentials?|cookie|bearer|signature|authorization|pat|dsn)(?:$|[^A-Za-z])/i;
/** Somebody's password before an address, or something that was asked for with a key. */
const holdsPassword = /^[a-z][a-z\d+.-]*:\/\/[^/?#@]*:[^/?#@]+@|[?&][^=&]*(?:key|token|secret|sig)[^=&]*=/i;

/** It is called a secret, or looks like what is only ever one. */
export function isSecretValue(value: string, names: string): boolean {
  return secretWord.test(apart(names)) || holdsPassword.test(value) || looksRandom(value);
}

/** `apiKey` is two words. */
function apart(names: string): string {
  return names.replaceAll(/([a-z\d])([A-Z])/g, "$1_$2");
}

/** Long, of letters and digits mixed as nobody names anything. */
function looksRandom(value: string): boolean {
  return value
    .split(/[^A-Za-z\d_+/=-]/)
    .some(
      (part) =>
        /^[\da-f]{24,}$/i.test(part) ||
        (part.length >= 20 && /[a-z]/.test(part) && /[A-Z]/.test(part) && (part.match(/\d/g)?.length ?? 0) >= 2),
    );
}
