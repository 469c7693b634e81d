// The parsed form of an expression: frozen data, kept in the plan.

import type { Json } from "../json.ts";

export type Expression = {
  readonly kind: "expression";
  readonly source: string;
  readonly node: Node;
  /** Every place where a root name is used, for the validator and for what a step can mention. */
  readonly references: readonly Reference[];
};

export type Node =
  | { readonly kind: "literal"; readonly value: Json; readonly at: number }
  | PathNode
  | { readonly kind: "unary"; readonly operator: "!" | "-"; readonly operand: Node; readonly at: number }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: Node;
      readonly right: Node;
      readonly at: number;
    }
  | {
      readonly kind: "conditional";
      readonly test: Node;
      readonly whenTrue: Node;
      readonly whenFalse: Node;
      readonly at: number;
    }
  | { readonly kind: "list"; readonly items: readonly Node[]; readonly at: number }
  | { readonly kind: "map"; readonly entries: readonly (readonly [Node, Node])[]; readonly at: number }
  | { readonly kind: "call"; readonly name: FunctionName; readonly args: readonly Node[]; readonly at: number }
  | {
      readonly kind: "macro";
      readonly name: MacroName;
      readonly list: Node;
      readonly variable: string;
      readonly body: Node;
      readonly at: number;
    }
  /** The seeds' `result == W` and `result != W`, with their own idea of sameness. */
  | { readonly kind: "seed"; readonly negated: boolean; readonly word: SeedWord; readonly at: number };

/** A name and what is picked out of it. `at` and `end` enclose it in the source, so that it can be shown as written. */
export type PathNode =
  | { readonly kind: "name"; readonly name: string; readonly at: number; readonly end: number }
  | { readonly kind: "member"; readonly object: Node; readonly key: string; readonly at: number; readonly end: number }
  | { readonly kind: "index"; readonly object: Node; readonly index: Node; readonly at: number; readonly end: number };

export type BinaryOperator =
  | "=="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "&&"
  | "||"
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "in"
  | "??";

export type FunctionName =
  | "contains"
  | "endsWith"
  | "has"
  | "join"
  | "keys"
  | "lower"
  | "max"
  | "min"
  | "number"
  | "size"
  | "split"
  | "startsWith"
  | "string"
  | "trim"
  | "type"
  | "upper";

export type MacroName = "all" | "exists" | "filter" | "map";

export type SeedWord =
  | { readonly kind: "true" }
  | { readonly kind: "false" }
  | { readonly kind: "nil" }
  /** `text` is the number as it was written: a tool may answer "3" where it means 3. */
  | { readonly kind: "number"; readonly value: number; readonly text: string }
  | { readonly kind: "text"; readonly value: string };

/** `steps.look.result.items` is root `steps`, path `["look", "result", "items"]`; the path stops at the first
 *  computed index, which sets `computed`. */
export type Reference = {
  readonly root: string;
  readonly path: readonly (string | number)[];
  readonly computed: boolean;
  /** Offset in the source. */
  readonly at: number;
};
