type ChoiceProps = {
  readonly label: string;
  readonly choices: readonly { readonly id: string; readonly word: string }[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
};

/** One of a few. */
export function Choice({ label, choices, chosen, onChoose }: ChoiceProps) {
  return (
    <div
      role="group"
      aria-label={label}
      className="inline-flex self-start overflow-hidden rounded-control border border-border"
    >
      {choices.map(({ id, word }) => (
        <button
          key={id}
          type="button"
          aria-pressed={id === chosen}
          onClick={() => onChoose(id)}
          className={`min-h-7 px-2 text-meta font-medium -outline-offset-2 ${id === chosen ? "bg-sunken text-text" : "text-text2 hover:text-text"}`}
        >
          {word}
        </button>
      ))}
    </div>
  );
}
