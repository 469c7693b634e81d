import { lazy, type ComponentType, type LazyExoticComponent } from "react";

type Lazy<Props> = LazyExoticComponent<ComponentType<Props>>;

/** Loaded when it is first drawn. React remembers for good that something could not be loaded: whoever asks for it after
 *  that is given another one, which is loaded anew. */
export function lazyAgain<Props>(load: () => Promise<ComponentType<Props>>): () => Lazy<Props> {
  const begin = (): Lazy<Props> =>
    lazy(async () => {
      try {
        return { default: await load() };
      } catch (error) {
        current = begin();
        throw error;
      }
    });
  let current = begin();
  return () => current;
}
