// The skeleton of a random flow: blocks inside blocks. What makes a flow valid (every step reachable, every path ends,
// every join met) holds for each block by construction, so it holds for the whole.

export type ActionKind = "tool" | "each" | "gate" | "wait" | "flow" | "set";

/** A step to be: where it is and what kind of work it does; its details come last. */
export type Place = {
  readonly key: string;
  /** The `name` it is given, when it has one of its own. */
  readonly alias: string | null;
  readonly action: ActionKind;
  readonly failure: Failure | null;
  /** A side path of one step: a gate's escalation, the clean-up of another. */
  readonly beside: Place | null;
};

/** A route of one of the five outcomes that take only a route of their own name. */
export type Failure = {
  readonly outcome: "error" | "rejected" | "expired" | "timeout" | "cancelled";
  /** null: the one step that all failures of the flow may share. */
  readonly handler: Place | null;
  /** After its handler the path goes on as if nothing had happened; else it ends. */
  readonly goesOn: boolean;
};

export type Block =
  | { readonly kind: "step"; readonly place: Place }
  /** The path ends here, in a step without action or after the action. */
  | { readonly kind: "stop"; readonly place: Place; readonly terminal: "success" | "failure" | "cancel" }
  | { readonly kind: "sequence"; readonly blocks: readonly Block[] }
  /** null: an arm that leads straight on. */
  | {
      readonly kind: "choice";
      readonly place: Place;
      readonly by: "branch" | "routes";
      readonly arms: readonly (Block | null)[];
    }
  /** The body, then a step that asks whether to go round again. */
  | { readonly kind: "loop"; readonly body: Block; readonly check: Place }
  | { readonly kind: "fork"; readonly place: Place; readonly branches: readonly Block[]; readonly join: ForkJoin };

export type ForkJoin =
  /** The join step follows the fork; the name stands on the branches or beside `parallel`. */
  | { readonly kind: "own"; readonly place: Place; readonly named: "branches" | "fork" }
  /** The join of the fork around this one. */
  | { readonly kind: "common"; readonly named: "branches" | "fork" }
  | { readonly kind: "none" };

/** The step in which a block begins. */
export function entryOf(block: Block): Place {
  switch (block.kind) {
    case "step":
    case "stop":
    case "choice":
    case "fork":
      return block.place;
    case "loop":
      return entryOf(block.body);
    case "sequence": {
      const first = block.blocks[0];
      if (first === undefined) throw new Error("A sequence of blocks holds at least one.");
      return entryOf(first);
    }
  }
}

/** The steps that have run whenever the block is behind. */
export function certainPlaces(block: Block): readonly Place[] {
  switch (block.kind) {
    case "step":
    case "stop":
    case "choice":
      return [block.place];
    case "fork":
      return block.join.kind === "own" ? [block.place, block.join.place] : [block.place];
    case "loop":
      return [...certainPlaces(block.body), block.check];
    case "sequence":
      return block.blocks.flatMap(certainPlaces);
  }
}

/** The steps that may have run when the block is behind: those of paths that end inside it are not among them. */
export function passedPlaces(block: Block): readonly Place[] {
  switch (block.kind) {
    case "step":
      return withHandler(block.place);
    case "stop":
      return [];
    case "sequence":
      return leadsOn(block) ? block.blocks.flatMap(passedPlaces) : [];
    case "choice": {
      const inside = block.arms.flatMap((arm) => (arm === null ? [] : passedPlaces(arm)));
      return leadsOn(block) ? [...withHandler(block.place), ...inside] : [];
    }
    case "loop":
      return [...passedPlaces(block.body), ...withHandler(block.check)];
    case "fork": {
      const join = block.join.kind === "own" ? withHandler(block.join.place) : [];
      return leadsOn(block) ? [block.place, ...block.branches.flatMap(passedPlaces), ...join] : [];
    }
  }
}

/** A run can come out of the block again. */
function leadsOn(block: Block): boolean {
  switch (block.kind) {
    case "step":
    case "loop":
      return true;
    case "stop":
      return false;
    case "sequence":
      return block.blocks.every(leadsOn);
    case "choice":
      return block.arms.some((arm) => arm === null || leadsOn(arm));
    case "fork":
      return block.join.kind !== "none";
  }
}

function withHandler(place: Place): readonly Place[] {
  return place.failure?.handler && place.failure.goesOn ? [place, place.failure.handler] : [place];
}
