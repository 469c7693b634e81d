// Addresses of this machine alone. Imports nothing heavy: it is asked before there is a service.

import { isIP } from "node:net";

/** Only this machine can come there. */
export function isLoopbackHost(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}
