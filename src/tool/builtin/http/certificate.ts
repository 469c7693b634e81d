// Why a server's certificate is refused, in words for whoever wrote the flow; OpenSSL's own are for those who know it.

const expired = "it has expired";
const early = "it is not valid yet";
const notOurs = "it is not for this name";
const untrusted =
  "nobody who is trusted here has signed it; whoever runs the engine can name an authority of theirs in NODE_EXTRA_CA_CERTS";
const selfSigned =
  "it has signed it itself; whoever runs the engine can trust it all the same by naming it in NODE_EXTRA_CA_CERTS";

const reasons: ReadonlyMap<string, string> = new Map([
  ["CERT_HAS_EXPIRED", expired],
  ["CERT_NOT_YET_VALID", early],
  ["ERR_TLS_CERT_ALTNAME_INVALID", notOurs],
  ["HOSTNAME_MISMATCH", notOurs],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", selfSigned],
  ["SELF_SIGNED_CERT_IN_CHAIN", untrusted],
  ["UNABLE_TO_GET_ISSUER_CERT", untrusted],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", untrusted],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", untrusted],
  ["CERT_UNTRUSTED", untrusted],
  ["CERT_REVOKED", "it was revoked"],
  ["CERT_REJECTED", "it is for other purposes"],
  ["INVALID_PURPOSE", "it is for other purposes"],
  ["INVALID_CA", "who signed it may not sign others"],
  ["PATH_LENGTH_EXCEEDED", "who signed it may not sign others"],
  ["CERT_CHAIN_TOO_LONG", "too many have signed each other"],
  ["CERT_SIGNATURE_FAILURE", "it is not signed by whom it says"],
]);

/** undefined: the failure has nothing to do with a certificate. */
export function whyRefused(code: string): string | undefined {
  return reasons.get(code);
}
