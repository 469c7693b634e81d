// Names of files as flows write them: relative, with slashes, and nothing that means something else on another system.

import { badArguments } from "../arguments.ts";

const lengthMax = 1024;
const partsMax = 16;
/** Of most file systems. */
const partBytesMax = 255;

/** The parts of a path, none of which leads up or away. */
export function parsePath(path: string): readonly string[] {
  if (path.length > lengthMax) throw badPath(path, `it has more than ${lengthMax} characters`);
  if (path.startsWith("/")) throw badPath(path, "it must be relative to the folder");
  const parts = path.split("/");
  if (parts.length > partsMax) throw badPath(path, `it has more than ${partsMax} parts`);
  for (const part of parts) {
    const flaw = flawOf(part);
    if (flaw !== undefined) throw badPath(path, flaw);
  }
  return parts;
}

/** Devices of Windows, whatever follows the dot. */
const device = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i;

function flawOf(part: string): string | undefined {
  if (part === "") return "one of its names is empty";
  if (part === "..") return "it leads out of its folder";
  // Hidden files steer other programs, such as the hooks of a repository; unfinished ones of ours are hidden as well.
  if (part.startsWith(".")) return "a name must not begin with a dot";
  if (!part.isWellFormed() || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(part)) return "it has signs in it that cannot be seen";
  if (/[\\:*?"<>|]/.test(part)) return "it has a sign in it that means something else on some systems";
  if (/[. ]$/.test(part)) return "a name must not end with a dot or a space";
  if (device.test(part)) return "it is the name of a device on some systems";
  return Buffer.byteLength(part) > partBytesMax ? `a name has more than ${partBytesMax} bytes` : undefined;
}

function badPath(path: string, flaw: string): Error {
  return badArguments(`The path ${JSON.stringify(path.slice(0, 200).toWellFormed())} cannot be used: ${flaw}.`);
}
