// Opens what is only looked at: a store, or a server.

import { urlOf, type ServerWish } from "./server-place.ts";
import type { View } from "./view.ts";

export async function openView(wish: ServerWish): Promise<View> {
  const url = urlOf(wish);
  if (url === undefined) return (await import("./store-view.ts")).openStoreView(wish);
  const { openServerView } = await import("./server-view.ts");
  return openServerView(url, wish);
}
