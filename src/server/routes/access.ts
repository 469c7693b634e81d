// Who may do what: users, tokens and secrets. What is secret goes in and is never told again, but for a token's text, once.

import { z } from "@hono/zod-openapi";
import type { Engine } from "../../engine/engine.ts";
import type { App } from "../door.ts";
import { principalSchema, secretSchema, tokenSchema, type MeDocument } from "../contract.ts";
import { toPrincipalDocument, toSecretDocument, toTokenDocument } from "../document/access.ts";
import { addRoute } from "../route.ts";
import { checkSameUser } from "../same-user.ts";

const tag = "Access";
const nameSchema = z.string().min(1).max(200);
const textsSchema = z.array(z.string().max(200)).max(1000);

const meSchema: z.ZodType<MeDocument> = z
  .object({
    user: z.string(),
    how: z.enum(["token", "session", "local"]),
    rights: z.array(z.string()),
    program: z
      .string()
      .describe(
        "What a command begins with where the server was started: stepwell, or npm start --; for admins and on the machine itself with the store, unless that is the usual one",
      ),
  })
  .openapi("Me");

type AccessParts = {
  readonly engine: Engine;
  readonly program: string;
  readonly storeFlag: string;
};

export function addAccessRoutes(app: App, { engine, program, storeFlag }: AccessParts): void {
  addRoute(
    app,
    {
      method: "get",
      path: "/api/me",
      about: "Who I am here, and what I may do",
      tag,
      right: "anyone",
      answer: meSchema,
    },
    async ({ visitor: { user, how, asker } }) => {
      const rights = await engine.access.rightsOf(asker);
      // The flag holds a path of this machine, which is not everybody's business.
      const isTold = storeFlag !== "" && (how === "local" || rights.includes("admin"));
      return {
        user,
        how,
        rights,
        program: isTold ? `${program} ${storeFlag}` : program,
      };
    },
  );
  addUsers(app);
  addKeys(app);
  addTokens(app);
  addSecrets(app);
}

function addUsers(app: App): void {
  addRoute(
    app,
    {
      method: "get",
      path: "/api/users",
      about: "Users and groups, and what they may do",
      tag,
      right: "admin",
      answer: z.array(principalSchema),
    },
    async ({ engine }) => (await engine.access.list()).map(toPrincipalDocument),
  );
  addRoute(
    app,
    {
      method: "post",
      path: "/api/users",
      about: "Make a user or a group, or say anew what it may",
      tag,
      right: "admin",
      body: z.strictObject({
        name: nameSchema.describe("ann, or group:staff"),
        groups: textsSchema.optional(),
        keys: textsSchema.optional().describe("Permission keys, such as 130001.read"),
        password: z.string().max(1000).optional(),
      }),
      answer: principalSchema,
      status: 201,
    },
    async ({ engine, context, body: { name, groups = [], keys = [], password } }) => {
      await checkSameUser(context, "credentials");
      const given = { groups, keys, ...(password === undefined ? {} : { password }) };
      return toPrincipalDocument(await engine.access.save(name, given));
    },
  );
  addRoute(
    app,
    {
      method: "delete",
      path: "/api/users/{name}",
      about: "Take it away, with its tokens, sessions and memberships",
      tag,
      right: "admin",
      answer: z.null(),
    },
    ({ engine, named }) => engine.access.remove(named("name")),
  );
}

function addKeys(app: App): void {
  for (const verb of ["grant", "revoke"] as const) {
    addRoute(
      app,
      {
        method: "post",
        path: `/api/users/{name}/${verb}`,
        about: verb === "grant" ? "One permission more" : "One permission less",
        tag,
        right: "admin",
        body: z.strictObject({ key: nameSchema }),
        answer: principalSchema,
      },
      async ({ engine, context, named, body: { key } }) => {
        if (verb === "grant") await checkSameUser(context, "credentials");
        return toPrincipalDocument(await engine.access[verb](named("name"), key));
      },
    );
  }
  addRoute(
    app,
    {
      method: "post",
      path: "/api/users/{name}/password",
      about: "Give a user another password; null: none. Whoever is logged in as this user has to log in again",
      tag,
      right: "admin",
      body: z.strictObject({ password: z.string().max(1000).nullable() }),
      answer: z.null(),
    },
    async ({ engine, context, named, body: { password } }) => {
      await checkSameUser(context, "credentials");
      await engine.access.setPassword(named("name"), password);
    },
  );
}

function addTokens(app: App): void {
  addRoute(
    app,
    {
      method: "get",
      path: "/api/tokens",
      about: "Tokens, without their texts",
      tag,
      right: "admin",
      answer: z.array(tokenSchema),
    },
    async ({ engine }) => (await engine.access.tokens.list()).map(toTokenDocument),
  );
  addRoute(
    app,
    {
      method: "post",
      path: "/api/tokens",
      about: "Make a token; its text is told this once",
      tag,
      right: "admin",
      body: z.strictObject({
        user: nameSchema,
        name: nameSchema.describe("What it is for"),
        scopes: textsSchema.nullish().describe("read, run, approve, save, admin, or permission keys"),
        expires_at: z
          .union([z.string().max(200), z.number()])
          .nullish()
          .describe("As schedule of a start is given"),
      }),
      answer: z.object({ text: z.string() }).and(tokenSchema),
      status: 201,
    },
    async ({ engine, context, body: { user, name, scopes, expires_at: expiresAt } }) => {
      await checkSameUser(context, "credentials");
      const token = await engine.access.tokens.create({
        user,
        name,
        ...(scopes === null || scopes === undefined ? {} : { scopes }),
        ...(expiresAt === null || expiresAt === undefined ? {} : { expiresAt }),
      });
      return { ...toTokenDocument(token), text: token.text };
    },
  );
  addRoute(
    app,
    {
      method: "delete",
      path: "/api/tokens/{id}",
      about: "Let nobody in with it any more",
      tag,
      right: "admin",
      answer: z.null(),
    },
    ({ engine, named }) => engine.access.tokens.revoke(named("id")),
  );
}

function addSecrets(app: App): void {
  addRoute(
    app,
    {
      method: "get",
      path: "/api/secrets",
      about: "Names of secrets, never their values",
      tag,
      right: "secrets",
      answer: z.array(secretSchema),
    },
    async ({ engine }) => (await engine.secrets.list()).map(toSecretDocument),
  );
  addRoute(
    app,
    {
      method: "post",
      path: "/api/secrets",
      about: "Keep a secret, or another value of it",
      tag,
      right: "secrets",
      body: z.strictObject({ name: nameSchema, value: z.string() }),
      answer: z.object({ name: z.string() }),
      status: 201,
    },
    async ({ engine, body: { name, value } }) => {
      await engine.secrets.set(name, value);
      return { name };
    },
  );
  addRoute(
    app,
    {
      method: "delete",
      path: "/api/secrets/{name}",
      about: "Forget it: steps that need it fail from then on",
      tag,
      right: "secrets",
      answer: z.null(),
    },
    ({ engine, named }) => engine.secrets.remove(named("name")),
  );
}
