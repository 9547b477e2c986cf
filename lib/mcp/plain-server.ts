import {
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  Server,
  type ServerContext,
  specTypeSchemas,
} from "@modelcontextprotocol/server";
import type { Caller } from "#lib/core/context.ts";
import { Fault } from "#lib/core/errors.ts";
import { log } from "#lib/core/log.ts";
import { asFault } from "#lib/core/unavailable.ts";

type Handler = (request: JSONRPCRequest, ctx: ServerContext) => Promise<Result>;

/**
 * The server of the SDK, with refusals in a plain sentence: its own tell a caller the text of whatever was thrown, of its
 * validator too. Every request it has a handler for is answered.
 */
export class PlainServer extends Server {
  readonly #caller: Caller;

  constructor(caller: Caller, ...given: ConstructorParameters<typeof Server>) {
    super(...given);
    this.#caller = caller;
    // A request that is taken back gets no answer from the SDK, and a batch waits for the answers to all of its requests.
    this.setNotificationHandler("notifications/cancelled", () => undefined);
  }

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, ctx) => {
      try {
        requireParams(method, request);
        return await wrapped(request, ctx);
      } catch (error) {
        throw error instanceof ProtocolError ? error : protocolError(error, this.#caller, method);
      }
    };
  }
}

/** The protocol's own form of a fault, where it has no result for a refusal. */
function protocolError(error: unknown, caller: Caller, what: string): ProtocolError {
  const fault = toldFault(error, caller, what);
  const code = fault.status >= 500 ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  return new ProtocolError(code, `${fault.code}: ${fault.message}`, { request_id: caller.requestId, ...fault.extras });
}

/** The fault to answer with. Any other error is logged and becomes an internal error. */
export function toldFault(error: unknown, { requestId }: Caller, what: string): Fault {
  const fault = asFault(error);
  if (fault.code === "internal_error")
    log.error({ err: error, request_id: requestId, operation: what }, "request failed");
  return fault;
}

/** The protocol's definition of each request that there is a handler for. */
const definitions: Readonly<
  Record<string, { "~standard": { validate(value: unknown): ValidationResult | Promise<ValidationResult> } }>
> = {
  initialize: specTypeSchemas.InitializeRequest,
  "tools/list": specTypeSchemas.ListToolsRequest,
  "tools/call": specTypeSchemas.CallToolRequest,
  "resources/list": specTypeSchemas.ListResourcesRequest,
  "resources/templates/list": specTypeSchemas.ListResourceTemplatesRequest,
  "resources/read": specTypeSchemas.ReadResourceRequest,
  "prompts/list": specTypeSchemas.ListPromptsRequest,
  "prompts/get": specTypeSchemas.GetPromptRequest,
  "completion/complete": specTypeSchemas.CompleteRequest,
  "logging/setLevel": specTypeSchemas.SetLevelRequest,
};

type ValidationResult = { issues?: readonly { message: string; path?: readonly unknown[] | undefined }[] | undefined };

/** Throws 400 `invalid_parameter` for parameters that the protocol does not have so. */
function requireParams(method: string, { params }: JSONRPCRequest): void {
  const { issues = [] } = (definitions[method]?.["~standard"].validate({ method, params }) ?? {}) as ValidationResult;
  const [issue] = issues;
  if (!issue) return;
  const parameter = (issue.path ?? []).join(".").replace(/^params\./, "");
  const problem = issue.message.replace(/^Invalid input(: )?/, "") || "is of no kind that the protocol has";
  throw new Fault("invalid_parameter", { parameter }, `${parameter}: ${problem}.`);
}
