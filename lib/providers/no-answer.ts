const words: Readonly<Record<string, string>> = {
  ENOTFOUND: "Its name cannot be resolved.",
  EAI_AGAIN: "Its name cannot be resolved at the moment.",
  ECONNREFUSED: "It refuses connections.",
  ECONNRESET: "It closed the connection without an answer.",
  EPIPE: "It closed the connection without an answer.",
  UND_ERR_SOCKET: "It closed the connection without an answer.",
  EHOSTUNREACH: "It cannot be reached.",
  ENETUNREACH: "It cannot be reached.",
  ETIMEDOUT: "It did not answer in time.",
  UND_ERR_CONNECT_TIMEOUT: "It did not answer in time.",
  UND_ERR_HEADERS_TIMEOUT: "It did not answer in time.",
  CERT_HAS_EXPIRED: "Its certificate has expired.",
  DEPTH_ZERO_SELF_SIGNED_CERT: "Its certificate is self-signed.",
  SELF_SIGNED_CERT_IN_CHAIN: "Its certificate is self-signed.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "Its certificate cannot be verified.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "Its certificate cannot be verified.",
  ERR_TLS_CERT_ALTNAME_INVALID: "Its certificate is for another name.",
  ERR_SSL_WRONG_VERSION_NUMBER: "It does not speak https.",
  EPROTO: "It does not speak https.",
};

/** The error at the bottom: `fetch` and attempts on several addresses wrap it. */
function innermost(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return innermost(error.errors[0]);
  return error instanceof Error && error.cause instanceof Error ? innermost(error.cause) : error;
}

/** Why a request had no answer, in a sentence about its target. Null when the error does not say. */
export function noAnswerWords(error: unknown): string | null {
  const { code } = innermost(error) as NodeJS.ErrnoException;
  if (typeof code !== "string") return null;
  return words[code] ?? (code.startsWith("HPE_") ? "What it answered is not HTTP." : null);
}
