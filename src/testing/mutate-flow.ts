// Every class of mistake that the validator must find at the right place.

import { expressionMutations } from "./mutation/expressions.ts";
import { graphMutations } from "./mutation/graph.ts";
import { machineMutations } from "./mutation/machines.ts";
import type { MutationClass } from "./mutation/mutation.ts";
import { nameMutations } from "./mutation/names.ts";
import { shapeMutations } from "./mutation/shape.ts";

export type { Mutation, MutationClass } from "./mutation/mutation.ts";

export const mutationClasses: readonly MutationClass[] = [
  ...nameMutations,
  ...shapeMutations,
  ...graphMutations,
  ...expressionMutations,
  ...machineMutations,
];
