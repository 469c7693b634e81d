// What the server and the network say, in our words: what happened, to which database, what to do. Names are shown
// without a password.

import { StepwellError } from "../../error.ts";

type ServerProblem =
  | "STORE_UNREACHABLE"
  | "STORE_UNREADABLE"
  | "STORE_READ_ONLY"
  | "STORE_FULL"
  | "STORE_BUSY"
  | "STORE_CORRUPT";

type Trouble = { readonly code: ServerProblem; readonly advice: string };

const again = "nothing was lost; try again when it does";

/** By SQLSTATE, or by its class: its first two signs. */
const troubles: ReadonlyMap<string, Trouble> = new Map<string, Trouble>([
  ["28", { code: "STORE_UNREACHABLE", advice: "check the user and the password in the address" }],
  ["3D", { code: "STORE_UNREACHABLE", advice: "create the database, or name another one in the address" }],
  ["53300", { code: "STORE_UNREACHABLE", advice: "raise max_connections, or end programs that hold connections" }],
  ["53100", { code: "STORE_FULL", advice: "free some space on the disk of the server and try again" }],
  ["25006", { code: "STORE_READ_ONLY", advice: "give the address of the primary server, not of a standby" }],
  ["42501", { code: "STORE_READ_ONLY", advice: "grant this user the right, or let another one create the schema" }],
  ["40", { code: "STORE_BUSY", advice: "try again" }],
  ["55", { code: "STORE_BUSY", advice: "another session holds it; try again when it has ended" }],
  ["57014", { code: "STORE_UNREACHABLE", advice: "it took too long; look at what else the server does" }],
  ["XX", { code: "STORE_CORRUPT", advice: "keep a copy of it and look at the server's log" }],
  ["3F", { code: "STORE_UNREADABLE", advice: "the schema is gone; restore it, or open the store again to begin anew" }],
  ["42P01", { code: "STORE_UNREADABLE", advice: "a table is gone; restore the schema from a backup" }],
]);

/** What has no SQLSTATE, because no session ever was. */
const words: readonly (readonly [word: RegExp, advice: string])[] = [
  [/password must be/u, "the server asks for a password; put it into the address"],
  [/certificate|SSL|TLS/u, "check sslmode and sslrootcert in the address"],
  [
    /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENOENT/u,
    "check the host and the port in the address, and start the server",
  ],
];

/** The server's word for what is wrong, when it said one. */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = "code" in error ? error.code : undefined;
  // Words of the system, such as EPIPE, begin with an E; none of the server's does.
  if (typeof code === "string" && /^(?!E)[0-9A-Z]{5}$/u.test(code)) return code;
  return error.cause === undefined ? undefined : sqlStateOf(error.cause);
}

/** The error of the server or of the network as one of the library; an error of the library stays as it is. */
export function toStoreError(error: unknown, name: string): StepwellError {
  if (error instanceof StepwellError) return error;
  const said = tell(error);
  const { code, advice } = isOurs(error) ? report : troubleOf(sqlStateOf(error), said);
  const what = code === "STORE_UNREACHABLE" ? "cannot be reached" : "refused";
  return new StepwellError(code, `${name} ${what} (${said}); ${advice}.`, { details: { name }, cause: error });
}

function troubleOf(state: string | undefined, said: string): Trouble {
  if (state === undefined) {
    const found = words.find(([word]) => word.test(said));
    return { code: "STORE_UNREACHABLE", advice: found?.[1] ?? again };
  }
  const known = troubles.get(state) ?? troubles.get(state.slice(0, 2));
  if (known !== undefined) return known;
  // It ends the session, or does not begin one.
  if (/^(?:08|53|57|58)/u.test(state)) return { code: "STORE_UNREACHABLE", advice: again };
  return report;
}

const report: Trouble = { code: "STORE_UNREADABLE", advice: "this is no error of yours; please report it" };

/** Neither the server nor the network throws these. */
function isOurs(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
}

/** Several addresses of one host fail together, and only their parts say why. */
function tell(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(tell).join(", ");
  const said = error instanceof Error ? error.message : String(error);
  return said.replace(/\.$/u, "");
}
