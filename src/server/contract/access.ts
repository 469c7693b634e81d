// Who may do what, and who has changed what, as it goes over the wire.

import type { JsonObject } from "../../flow/json.ts";

export type MeDocument = {
  readonly user: string;
  readonly how: "token" | "session" | "local";
  /** `read`, or `read.own` where it reaches no further. */
  readonly rights: readonly string[];
  /** What a command begins with where the server was started: `stepwell`, or in a clone `npm start --`; then, for who may
   *  know it, which store is meant, unless it is the usual one. */
  readonly program: string;
};

export type PrincipalDocument = {
  /** user:ann, group:staff */
  readonly id: string;
  readonly groups: readonly string[];
  readonly keys: readonly string[];
};

export type TokenDocument = {
  readonly id: string;
  readonly user: string;
  readonly name: string;
  readonly scopes: readonly string[] | null;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly last_used_at: number | null;
};

/** Told once, when it is made. */
export type NewTokenDocument = TokenDocument & { readonly text: string };

export type SecretDocument = { readonly name: string; readonly created_at: number; readonly updated_at: number };

export type AuditDocument = {
  readonly no: number;
  readonly at: number;
  readonly user: string;
  readonly via: string | null;
  readonly source: string;
  readonly verb: string;
  readonly subject: string | null;
  readonly details: JsonObject;
};
