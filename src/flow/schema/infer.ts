// The TypeScript type of the values that a literal schema describes. `D` holds the definitions that `$ref` names.

import type { Json } from "../json.ts";

export type Infer<S, D> = S extends { readonly $ref: `#/definitions/${infer Name}` }
  ? Name extends keyof D
    ? Infer<D[Name], D>
    : never
  : S extends { readonly const: infer Value }
    ? Value
    : S extends { readonly enum: readonly (infer Value)[] }
      ? Value
      : S extends { readonly anyOf: readonly (infer Alternative)[] }
        ? Infer<Alternative, D>
        : S extends { readonly type: infer Type }
          ? OfType<Type, S, D>
          : Json;

type OfType<Type, S, D> = Type extends readonly (infer One)[]
  ? OfType<One, S, D>
  : Type extends "string"
    ? string
    : Type extends "number" | "integer"
      ? number
      : Type extends "boolean"
        ? boolean
        : Type extends "null"
          ? null
          : Type extends "array"
            ? readonly Items<S, D>[]
            : Flatten<InferObject<S, D>>;

type Items<S, D> = S extends { readonly items: infer Item } ? Infer<Item, D> : Json;

type InferObject<S, D> = InferBase<S, D> & Others<S, D>;

/** The members alone: what a schema hands on to those that name it in `allOf`. */
type InferBase<S, D> = S extends { readonly $ref: `#/definitions/${infer Name}` }
  ? Name extends keyof D
    ? InferBase<D[Name], D>
    : never
  : Members<S, D> & (S extends { readonly allOf: readonly [infer Base] } ? InferBase<Base, D> : unknown);

type Members<S, D> = S extends { readonly properties: infer P }
  ? { readonly [K in keyof P as K extends Required<S> ? K : never]: Infer<P[K], D> } & {
      readonly [K in keyof P as K extends Required<S> ? never : K]?: Infer<P[K], D>;
    }
  : unknown;

type Required<S> = S extends { readonly required: readonly (infer K)[] } ? K : never;

type Others<S, D> = S extends { readonly additionalProperties: false }
  ? { readonly [key: `x-${string}`]: Json }
  : S extends { readonly additionalProperties: infer Other extends object }
    ? { readonly [key: string]: Infer<Other, D> }
    : { readonly [key: string]: Json };

type Flatten<T> = { [K in keyof T]: T[K] };
