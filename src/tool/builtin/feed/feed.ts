// What a feed says, whichever of the three dialects it speaks.

/** Instants in milliseconds; null: it does not say, or not in a way that can be read. */
export type FeedItem = {
  readonly id: string;
  readonly title: string;
  readonly link: string | null;
  readonly published_at: number | null;
  readonly author: string | null;
  /** As it stands there, which is often HTML. Written by others: to be shown to nobody and no model as it is. */
  readonly summary: string;
  readonly categories: readonly string[];
};

export type Feed = { readonly title: string; readonly link: string | null; readonly items: readonly FeedItem[] };
