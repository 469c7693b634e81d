import { useState } from "react";

/** Tells when a value has changed otherwise than by what was written here, for fields in which one may be typing on.
 *  Gives what is to be told of each thing that is written. */
export function useNews<T>(value: T, isSame: (one: T, other: T) => boolean, onNews: () => void): (written: T) => void {
  const [seen, setSeen] = useState(value);
  const [written, setWritten] = useState<readonly T[]>([]);
  if (!isSame(seen, value)) {
    setSeen(value);
    const at = written.findIndex((each) => isSame(each, value));
    setWritten(at < 0 ? [] : written.slice(at + 1));
    if (at < 0) onNews();
  }
  return (next) => setWritten((now) => [...now, next]);
}
