// A planted fault, loaded before the subject: the store says that a batch is on disk while it is still to be written,
// so that tools are called and callers answered first. Only the harness's control uses it.

import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, nextResolve) {
    const isAsked = specifier === "./ownership.ts" && context.parentURL?.endsWith("/sqlite-store.ts") === true;
    return nextResolve(isAsked ? new URL("early-ownership.ts", import.meta.url).href : specifier, context);
  },
});
