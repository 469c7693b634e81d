import { Link } from "@tanstack/react-router";
import { Dialog } from "../components/dialog.tsx";
import { places } from "./navigation.ts";

const everywhere: readonly (readonly [string, string])[] = [
  ["Ctrl K  /", "Search and do"],
  ["N", "Run a workflow"],
  ["P", "Pause showing changes"],
  ["[", "Fold the sidebar"],
  ["?", "This sheet"],
];
const inLists: readonly (readonly [string, string])[] = [
  ["J  K", "Down and up, wherever there are rows"],
  ["Enter", "Open"],
  ["X  Space", "Select a run, among runs"],
  ["Esc", "Close"],
];
const inInbox: readonly (readonly [string, string])[] = [
  ["A", "Approve; again to do it"],
  ["X", "Reject; again to do it"],
];
const onWorkflows: readonly (readonly [string, string])[] = [["E", "Edit it"]];
const inForms: readonly (readonly [string, string])[] = [
  ["Ctrl Enter", "Run what is filled in"],
  ["Ctrl S", "Save the workflow"],
];
const onRuns: readonly (readonly [string, string])[] = [
  ["F", "Fit the graph"],
  ["+  -", "Zoom"],
  ["V", "Steps as a table"],
  ["Arrows", "Follow the edges"],
  ["C", "Copy the id"],
  ["E", "Edit the workflow"],
];

export function ShortcutSheet({ onClose }: { readonly onClose: () => void }) {
  const going = places.map(({ key, label }) => [`G ${key.toUpperCase()}`, label] as const);
  return (
    <Dialog title="Keys" isOpen onClose={onClose}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Keys title="Everywhere" keys={everywhere} />
        <Keys title="Go to" keys={going} />
        <Keys title="In lists" keys={inLists} />
        <Keys title="On a run" keys={onRuns} />
        <Keys title="In the inbox" keys={inInbox} />
        <Keys title="On a workflow" keys={onWorkflows} />
        <Keys title="In forms and the editor" keys={inForms} />
      </div>
      <p className="mt-4">
        <Link to="/docs" onClick={onClose} className="text-accent underline">
          Documentation
        </Link>
      </p>
    </Dialog>
  );
}

function Keys({ title, keys }: { readonly title: string; readonly keys: readonly (readonly [string, string])[] }) {
  return (
    <section>
      <h3 className="mb-1 font-medium">{title}</h3>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
        {keys.map(([key, about]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded border border-strong px-1">{key}</kbd>
            </dt>
            <dd className="text-text2">{about}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
