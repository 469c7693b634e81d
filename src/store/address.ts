// What names a store: a path, `:memory:`, or the address of a PostgreSQL server. Imports nothing, so that whoever only
// wants to know which of them it is loads neither.

/** `postgres://user:password@host:port/database?schema=name`; anything else is a path. */
export function isServerAddress(address: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(address);
}

/** As people may see it: without a password. A sign more is hidden rather than one too few. */
export function showAddress(address: string): string {
  if (!isServerAddress(address)) return address;
  const { place, query } = split(address);
  const [, scheme = "", rest = ""] = /^([^:]*:\/\/)(.*)$/s.exec(place) ?? [];
  // A password that was not encoded may hold any sign, an @ as well: what follows the last one is the host.
  const at = rest.lastIndexOf("@");
  const user = rest.slice(0, Math.max(0, at)).split(":", 1)[0] ?? "";
  const shown = query.filter((part) => !/^[^=]*pass/i.test(part));
  return `${scheme}${user === "" ? "" : `${user}@`}${rest.slice(at + 1)}${shown.length === 0 ? "" : `?${shown.join("&")}`}`;
}

/** The schema that an address names, and the address without it. */
export function splitSchema(address: string): { readonly address: string; readonly schema: string } {
  const { place, query } = split(address);
  const named = query.findLast((part) => part.startsWith("schema="));
  const others = query.filter((part) => !part.startsWith("schema="));
  return {
    address: others.length === 0 ? place : `${place}?${others.join("&")}`,
    schema: named === undefined ? "stepwell" : decodeURIComponent(named.slice("schema=".length)),
  };
}

function split(address: string): { readonly place: string; readonly query: readonly string[] } {
  // A question mark before the last @ belongs to a password.
  const from = address.indexOf("?", Math.max(0, address.lastIndexOf("@")));
  if (from === -1) return { place: address, query: [] };
  return { place: address.slice(0, from), query: address.slice(from + 1).split("&") };
}
