// A planted fault, loaded before the subject: the store says that a batch is on disk while it is still to be written,
// so that tools are called and callers answered first. Only the harness's control uses it.

import { registerHooks } from "node:module";

const early = new URL("early-ownership.ts", import.meta.url).href;
const built = new URL("../../../dist/store/sqlite/ownership.js", import.meta.url).href;

registerHooks({
  resolve(specifier, context, nextResolve) {
    const isAsked = specifier === "./ownership.js" && context.parentURL?.endsWith("/sqlite-store.js") === true;
    const isReal = context.parentURL === early && specifier.endsWith("/ownership.ts");
    return nextResolve(isAsked ? early : isReal ? built : specifier, context);
  },
});
