// Flows to begin with, each with a drawing of its steps.

import { Link } from "@tanstack/react-router";
import { examples } from "../../model/examples.ts";
import { Thumbnail } from "./thumbnail.tsx";

export function ExampleGallery() {
  return (
    <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3" aria-label="Examples">
      {examples.map(({ id, title, about, shape, text }) => (
        <li key={id} data-testid="example" className="min-w-0">
          <Link
            to="/new"
            search={{ from: id }}
            className="flex h-full flex-col gap-3 rounded-card border border-border bg-surface p-4 hover:border-strong"
          >
            <h2>{title}</h2>
            <Thumbnail text={text} label={`Steps: ${shape.join(", then ")}`} />
            <p className="text-text2">{about}</p>
          </Link>
        </li>
      ))}
    </ul>
  );
}
