import { Fault } from "#lib/core/errors.ts";
import { log } from "#lib/core/log.ts";
import { type ExportFile, openExportFile } from "#lib/domain/workspace/exports/service.ts";
import { givenLabel } from "#lib/text/client-label.ts";
import { type Authenticate, answered } from "./answer.ts";
import { handler, type RouteHandler, type Streaming } from "./exchange.ts";
import { type Part, partOf } from "./range.ts";
import { countRequest } from "./rate-limit.ts";
import { requestIdOf } from "./request-id.ts";

const TYPES = { csv: "text/csv; charset=utf-8", ndjson: "application/x-ndjson; charset=utf-8" } as const;

/** As the log of calls names it. */
const FILE_PATH = "/v2/exports/:id/file";

/** `GET …/exports/<id>/file`: the file of an export, wholly or the part that `Range` asks for. */
export const exportFileRoute = (authenticate: Authenticate): RouteHandler =>
  handler(async (exchange) => {
    const requestId = requestIdOf(exchange);
    let sent: { file: ExportFile; part: Part } | undefined;
    const answer = await answered("exportFile", exchange, requestId, async (headers, note, calls) => {
      const client = givenLabel(exchange.header("x-service-client"));
      const { caller, rateKey, keyPrefix } = await authenticate(exchange, requestId, client);
      note({ workspace_id: caller.workspaceId, key_prefix: keyPrefix });
      if (caller.actor.type === "api_key")
        calls({ workspaceId: caller.workspaceId, callerId: rateKey, client, path: FILE_PATH });
      countRequest(rateKey, headers);
      const id = exchange.params.id ?? "";
      const file = await openExportFile(caller, id);
      const etag = `"${id}-${file.size}"`;
      headers["Accept-Ranges"] = "bytes";
      const asked = { range: exchange.header("range"), ifRange: exchange.header("if-range") };
      const part = partOf(asked, etag, file.size);
      if (!part) {
        headers["Content-Range"] = `bytes */${file.size}`;
        throw new Fault("range_not_satisfiable", { size: file.size });
      }
      // Who goes on with a download was noted when it began.
      if (exchange.method === "GET" && part.start === 0) await file.noteDownload();
      if (part.partial) headers["Content-Range"] = `bytes ${part.start}-${part.end - 1}/${file.size}`;
      headers.ETag = etag;
      headers["Content-Type"] = TYPES[file.format];
      headers["Content-Disposition"] = `attachment; filename="${file.name}"`;
      sent = { file, part };
      return { status: part.partial ? 206 : 200, body: "" };
    });
    if (!sent) return answer;
    const { file, part } = sent;
    const headers = { ...answer.headers, "Content-Length": String(part.end - part.start) };
    return { status: answer.status, headers, body: streamOf(file, part, requestId) };
  });

const streamOf =
  ({ read }: ExportFile, { start, end }: Part, requestId: string): Streaming =>
  (out) => {
    let gone = false;
    const send = async () => {
      for await (const bytes of read(start, end)) {
        if (gone) return;
        out.write(bytes);
        await out.drained();
      }
      if (!gone) out.end();
    };
    send().catch((error: unknown) => {
      log.warn({ err: error, request_id: requestId }, "a download ended early");
      out.fail();
    });
    return () => {
      gone = true;
    };
  };
