// People who log in, from the page: a name and a password become a cookie.

import { z } from "@hono/zod-openapi";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { sessionAgeMaxMs } from "../../access/session.ts";
import type { Engine } from "../../engine/engine.ts";
import type { App } from "../door.ts";
import { checkMark, sessionCookie, type Entrance } from "../entrance.ts";
import { createLoginLimit, type Now } from "../rate-limit.ts";
import { addPublicRoute } from "../route.ts";

const tag = "Access";

export type LoginParts = { readonly engine: Engine; readonly entrance: Entrance; readonly now: Now };

export function addLoginRoutes(app: App, { engine, entrance, now }: LoginParts): void {
  const limit = createLoginLimit(now);
  addPublicRoute(
    app,
    {
      method: "post",
      path: "/api/login",
      about: "Log in: sets a cookie that no script can read",
      tag,
      right: "public",
      body: z.strictObject({ user: z.string().min(1).max(200), password: z.string().min(1).max(1000) }),
      answer: z.object({ user: z.string(), expires_at: z.int() }),
    },
    async ({ body: { user, password }, context }) => {
      const { address, isHttps } = entrance.passBy(context);
      const names = [`user ${user.toLowerCase()}`, `address ${address}`];
      const session = await limit.guess(names, () => engine.access.sessions.open(user, password));
      setCookie(context, sessionCookie, session.text, {
        httpOnly: true,
        sameSite: "Strict",
        path: "/",
        secure: isHttps,
        // It ends earlier when it is not used; the service says when.
        maxAge: sessionAgeMaxMs / 1000,
      });
      return { user: session.user, expires_at: session.expiresAt };
    },
  );
  addPublicRoute(
    app,
    {
      method: "post",
      path: "/api/logout",
      about: "Log out: the session ends, and its cookie goes",
      tag,
      right: "public",
      answer: z.null(),
    },
    async ({ context }) => {
      entrance.passBy(context);
      const text = getCookie(context, sessionCookie);
      if (text !== undefined) {
        checkMark(context);
        await engine.access.sessions.close(text);
        deleteCookie(context, sessionCookie, { path: "/" });
      }
      return null;
    },
  );
}
