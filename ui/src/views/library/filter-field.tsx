import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Input } from "../../components/field.tsx";

/** So long after the last letter it is looked for. */
const settleMs = 200;

type FilterFieldProps = { readonly text: string; readonly onText: (text: string) => void };

export function FilterField({ text, onText }: FilterFieldProps) {
  const [typed, setTyped] = useState(text);
  const [seen, setSeen] = useState(text);
  const [asked, setAsked] = useState(text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Whoever has left is not called back by what was typed last.
  useEffect(() => () => clearTimeout(timer.current), []);
  if (text !== seen) {
    setSeen(text);
    // Another address was opened; what was asked for here may have been typed on meanwhile.
    if (text !== asked) {
      setAsked(text);
      setTyped(text);
    }
  }
  const type = (wish: string): void => {
    setTyped(wish);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setAsked(wish.trim());
      onText(wish.trim());
    }, settleMs);
  };
  return (
    <div className="relative w-full sm:w-72">
      <Search size={16} strokeWidth={1.75} aria-hidden className="absolute start-2.5 top-2 text-text3" />
      <Input
        type="search"
        aria-label="Filter workflows by name or description"
        placeholder="Filter by name or description"
        className="ps-8"
        value={typed}
        onChange={({ target }) => type(target.value)}
      />
    </div>
  );
}
