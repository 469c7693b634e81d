import { CircleAlert, Check } from "lucide-react";
import { sayFinding, type Finding } from "../../model/finding.ts";
import { sayPlan, type ImportPlan } from "../../model/import.ts";
import type { Looked } from "./bring.ts";

export function LookedAt({ looked }: { readonly looked: Looked }) {
  switch (looked.kind) {
    case "wrong":
      return <Problems title={looked.title} findings={looked.findings} />;
    case "plan":
      return <Plan plan={looked.plan} />;
    case "flow":
      return (
        <>
          <Lines lines={[`Creates ${looked.name}.`]} />
          {looked.findings.length === 0 ? null : <Warnings lines={looked.findings.map(sayFinding)} />}
        </>
      );
  }
}

function Plan({ plan }: { readonly plan: ImportPlan }) {
  const missing = [
    ...plan.missingTools.map((tool) => `The tool ${tool} is not here yet. Add its server before a run gets there.`),
    ...plan.missingSecrets.map((secret) => `The secret ${secret} is not set here.`),
    ...plan.warnings,
  ];
  return (
    <>
      <Lines lines={sayPlan(plan)} />
      {missing.length === 0 ? null : <Warnings lines={missing} />}
      {plan.permissions.length === 0 ? null : (
        <p className="text-meta text-text2">Whoever runs it must be allowed: {plan.permissions.join(", ")}.</p>
      )}
    </>
  );
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  return (
    <section
      aria-label="What the import does"
      data-testid="import-plan"
      className="rounded-card border border-border p-3"
    >
      <ul className="flex flex-col gap-1">
        {lines.map((line) => (
          <li key={line} className="flex gap-2">
            <Check size={16} strokeWidth={1.75} aria-hidden className="mt-0.5 shrink-0 text-good" />
            <span className="min-w-0 break-words">{line}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Warnings({ lines }: { readonly lines: readonly string[] }) {
  return (
    <ul aria-label="Warnings" className="flex flex-col gap-1 rounded-card bg-warn-tint p-3 text-warn">
      {lines.map((line) => (
        <li key={line} className="break-words">
          {line}
        </li>
      ))}
    </ul>
  );
}

export function Problems({ title, findings }: { readonly title: string; readonly findings: readonly Finding[] }) {
  return (
    <div role="alert" data-testid="import-problems" className="rounded-card bg-danger-tint p-3 text-danger">
      <p className="flex gap-2 font-medium">
        <CircleAlert size={16} strokeWidth={1.75} aria-hidden className="mt-0.5 shrink-0" /> {title}
      </p>
      {findings.length === 0 ? null : (
        <ul className="mt-2 flex flex-col gap-1 ps-6">
          {findings.map((finding, at) => (
            <li key={at} className="break-words">
              {sayFinding(finding)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
