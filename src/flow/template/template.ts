// A JSON value with places to fill in, parsed once.

import type { Expression } from "../expression/ast.ts";
import type { Json } from "../json.ts";

export type Template =
  /** Nothing to fill in, at any depth. */
  | { readonly kind: "value"; readonly value: Json }
  /** `"{{ x }}"` alone: the value keeps its type. */
  | { readonly kind: "expression"; readonly expression: Expression }
  /** Longer text: each part becomes text. */
  | { readonly kind: "text"; readonly parts: readonly TextPart[] }
  /** `"{{ secrets.NAME }}"` alone. */
  | { readonly kind: "secret"; readonly name: string }
  | { readonly kind: "list"; readonly items: readonly Template[] }
  | { readonly kind: "map"; readonly entries: readonly (readonly [string, Template])[] };

export type TextPart =
  | { readonly kind: "value"; readonly value: string }
  | { readonly kind: "expression"; readonly expression: Expression }
  | { readonly kind: "secret"; readonly name: string };
