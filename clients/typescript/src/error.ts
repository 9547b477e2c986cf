import type { components } from "./schema.ts";

/** The codes of the API, and three of this client. Newer servers may have more. */
export type ErrorCode =
  | components["schemas"]["ErrorCode"]
  | "pending_approval"
  | "ambiguous"
  | "unexpected_answer"
  | (string & Record<never, never>);

/**
 * An answer that is not what the request asked for. `pending_approval`: the key's writes need approval, and nothing was changed
 * yet. `ambiguous`: several records have that name, and `body.candidates` lists them. `unexpected_answer`: it comes from a proxy
 * or another server, not from Rapport.
 */
export class RapportError extends Error {
  override readonly name = "RapportError";
  readonly code: ErrorCode;
  readonly status: number;
  /** Quote it when you report a problem. */
  readonly requestId: string | null;
  /** The whole answer: what helps to fix the request, such as `parameter`, `allowed` or `approval_id`. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor({ status, headers, url }: Response, answer: unknown) {
    const body = (typeof answer === "object" && answer !== null ? answer : {}) as Record<string, unknown>;
    const code = body.error ?? body.status; // `pending_approval` and `ambiguous` are no errors of the API
    const named = typeof code === "string" ? code : "unexpected_answer";
    super(typeof body.message === "string" ? body.message : `${url} answered ${status}: ${named}.`);
    this.code = named;
    this.status = status;
    this.requestId = headers.get("x-request-id");
    this.body = body;
  }
}
