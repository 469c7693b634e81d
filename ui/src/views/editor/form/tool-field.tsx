import { Field, Select } from "../../../components/field.tsx";
import { toolNamed } from "../../../model/completion.ts";
import type { Tool } from "../../../model/tool.ts";

type ToolFieldProps = {
  readonly label: string;
  readonly tools: readonly Tool[];
  /** As it is written; "": none. */
  readonly value: string;
  readonly onChoose: (name: string) => void;
};

/** One of the tools that are there now; what is named and is not there stays, and is marked. */
export function ToolField({ label, tools, value, onChoose }: ToolFieldProps) {
  const tool = toolNamed(tools, value);
  const isMissing = value !== "" && tool === null;
  const groups = Map.groupBy(tools, ({ name, server }) => server ?? name.split(".")[0] ?? "");
  return (
    <Field label={label} problem={isMissing ? `There is no tool ${value} here.` : null} {...about(tool)}>
      {(given) => (
        <Select
          {...given}
          value={tool?.name ?? value}
          className={isMissing ? "text-danger!" : ""}
          onChange={({ target }) => onChoose(target.value)}
        >
          {value === "" ? <option value="">(choose one)</option> : null}
          {isMissing ? (
            <option value={value} className="text-danger">
              {value} (missing)
            </option>
          ) : null}
          {[...groups].map(([group, own]) => (
            <optgroup key={group} label={group}>
              {own.map(({ name }) => (
                <option key={name} value={name} className="text-text">
                  {name}
                </option>
              ))}
            </optgroup>
          ))}
        </Select>
      )}
    </Field>
  );
}

function about(tool: Tool | null): { readonly help?: string } {
  return tool === null || tool.description === null ? {} : { help: tool.description };
}
