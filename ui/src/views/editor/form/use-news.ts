import { useState } from "react";

type News<T> = {
  /** To be told of each thing that is written. */
  readonly tellWritten: (written: T) => void;
  /** The text has it, and nothing else is on the way there. */
  readonly isThere: (wanted: T) => boolean;
};

/** Tells when a value has changed otherwise than by what was written here, for fields in which one may be typing on. */
export function useNews<T>(value: T, isSame: (one: T, other: T) => boolean, onNews: () => void): News<T> {
  const [seen, setSeen] = useState(value);
  const [written, setWritten] = useState<readonly T[]>([]);
  if (!isSame(seen, value)) {
    setSeen(value);
    const at = written.findIndex((each) => isSame(each, value));
    setWritten(at < 0 ? [] : written.slice(at + 1));
    if (at < 0) onNews();
  }
  return {
    // Written once more, by a pause and by leaving, it comes once.
    tellWritten: (next) =>
      setWritten((now) => (now.slice(-1).some((last) => isSame(last, next)) ? now : [...now, next])),
    isThere: (wanted) => isSame(wanted, value) && written.every((each) => isSame(each, wanted)),
  };
}
