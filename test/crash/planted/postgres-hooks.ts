// How a planted fault comes into the PostgreSQL store: a module of the store that another one of it asks for is replaced by
// one of ours, which may ask for the real one by a path into `src`.

import { registerHooks } from "node:module";

const builtFolder = new URL("../../../dist/store/postgres/", import.meta.url);

/** `plant("writer", import.meta.resolve("./early-writer.ts"))` */
export function plant(name: string, replacement: string): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const isReal = context.parentURL === replacement && specifier.endsWith(`/src/store/postgres/${name}.ts`);
      const isAsked = specifier === `./${name}.js` && context.parentURL?.startsWith(builtFolder.href) === true;
      const real = new URL(`${name}.js`, builtFolder).href;
      return nextResolve(isReal ? real : isAsked ? replacement : specifier, context);
    },
  });
}
