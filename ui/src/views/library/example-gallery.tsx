// Flows to begin with, each with a drawing of its steps in words.

import { Link } from "@tanstack/react-router";
import { ArrowRight } from "lucide-react";
import { Fragment } from "react";
import { examples, type Example } from "../../model/examples.ts";

export function ExampleGallery() {
  return (
    <ul className="grid gap-4 p-4 sm:grid-cols-2 md:p-5 xl:grid-cols-3" aria-label="Examples">
      {examples.map((example) => (
        <li key={example.id} data-testid="example" className="min-w-0">
          <Link
            to="/new"
            search={{ from: example.id }}
            className="flex h-full flex-col gap-3 rounded-card border border-border bg-surface p-4 hover:border-strong"
          >
            <h2>{example.title}</h2>
            <Shape example={example} />
            <p className="text-text2">{example.about}</p>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Shape({ example: { shape } }: { readonly example: Example }) {
  return (
    <p className="flex min-h-16 flex-wrap items-center gap-1.5 rounded-control bg-sunken p-3">
      {shape.map((step, at) => (
        <Fragment key={step}>
          {at === 0 ? null : (
            <ArrowRight size={14} strokeWidth={1.75} aria-label="then" className="shrink-0 text-text3" />
          )}
          <span className="rounded-control border border-strong bg-surface px-2 py-0.5 font-mono text-meta">
            {step}
          </span>
        </Fragment>
      ))}
    </p>
  );
}
