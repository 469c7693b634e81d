import { Search } from "lucide-react";
import { useRef, useState } from "react";
import { Input } from "../../components/field.tsx";

/** So long after the last letter it is looked for. */
const settleMs = 200;

type FilterFieldProps = { readonly text: string; readonly onText: (text: string) => void };

export function FilterField({ text, onText }: FilterFieldProps) {
  const [typed, setTyped] = useState(text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const type = (wish: string): void => {
    setTyped(wish);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onText(wish.trim()), settleMs);
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
