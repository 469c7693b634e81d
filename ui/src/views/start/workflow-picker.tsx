// One of the workflows, by typing a part of its name or of what it is about. Nothing is chosen before Enter or a press: in
// a plain list of the browser's the first arrow would choose already.

import { Command } from "cmdk";
import { useState } from "react";
import { inputLook } from "../../components/field.tsx";
import { likeliestWorkflows, type Workflow } from "../../model/workflow.ts";

type PickerProps = {
  readonly workflows: readonly Workflow[];
  readonly onChoose: (name: string) => void;
};

export function WorkflowPicker({ workflows, onChoose }: PickerProps) {
  const [text, setText] = useState("");
  return (
    <Command label="Workflow" shouldFilter={false} className="flex flex-col gap-2">
      <Command.Input
        autoFocus
        value={text}
        onValueChange={setText}
        placeholder={`Choose one of ${workflows.length}`}
        className={inputLook}
      />
      <Command.List label="Workflows" className="max-h-[40vh] overflow-y-auto">
        <Command.Empty className="px-3 py-4 text-text2">Nothing is called so.</Command.Empty>
        {likeliestWorkflows(workflows, text).map(({ name, description }) => (
          <Command.Item
            key={name}
            value={name}
            onSelect={() => onChoose(name)}
            className="flex min-h-9 cursor-pointer flex-col justify-center rounded-control px-3 py-1.5 data-[selected=true]:bg-sunken"
          >
            <span className="font-medium">{name}</span>
            {description === null ? null : <span className="text-meta text-text2">{description}</span>}
          </Command.Item>
        ))}
      </Command.List>
    </Command>
  );
}
