// Draws the pictures of the documentation anew: `npm run pictures`. test/pictures.test.ts says when that is due.

import { readFileSync, writeFileSync } from "node:fs";
import { compile, drawSvg } from "../src/index.ts";

/** Picture in docs/pictures/ → flow in examples/. */
export const pictures: { readonly [name: string]: string } = {
  "publish-digest": "demo/publish-digest.yaml",
  refund: "demo/refund.yaml",
  "document-review": "demo/document-review.yaml",
  "nested-forks": "language/nested-forks.yaml",
};

export function pictureFile(name: string): URL {
  return new URL(`../docs/pictures/${name}.svg`, import.meta.url);
}

export function drawPicture(name: string): string {
  return drawSvg(compile(readFileSync(new URL(`../examples/${pictures[name] ?? ""}`, import.meta.url), "utf8")));
}

if (import.meta.main) {
  for (const name of Object.keys(pictures)) writeFileSync(pictureFile(name), drawPicture(name));
}
