import { Fault } from "#lib/core/errors.ts";
import { log } from "#lib/core/log.ts";
import { type ExportFile, openExportFile } from "#lib/domain/workspace/exports/service.ts";
import { type Authenticate, answered, enter } from "./answer.ts";
import { handler, type RouteHandler, type Streaming } from "./exchange.ts";
import { type Part, partOf } from "./range.ts";
import { requestIdOf } from "./request-id.ts";

const TYPES = { csv: "text/csv; charset=utf-8", ndjson: "application/x-ndjson; charset=utf-8" } as const;

/** As the log of calls names it. */
const FILE_PATH = "/v2/exports/:id/file";

/** `GET …/exports/<id>/file`: the file of an export, wholly or the part that `Range` asks for. */
export const exportFileRoute = (authenticate: Authenticate): RouteHandler =>
  handler((exchange) => {
    const requestId = requestIdOf(exchange);
    return answered("exportFile", exchange, requestId, async (frame) => {
      const { headers } = frame;
      const { caller } = await enter(exchange, requestId, authenticate, frame, FILE_PATH);
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
      headers["Content-Length"] = String(part.end - part.start);
      return { status: part.partial ? 206 : 200, body: streamOf(file, part, requestId) };
    });
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
