import { openPersonExport, openWorkspaceExport } from "#lib/domain/workspace/privacy/service.ts";
import { answered, enter } from "./answer.ts";
import { handler, type RouteHandler } from "./exchange.ts";
import { requestIdOf } from "./request-id.ts";
import { byDownload } from "./session.ts";
import { written } from "./written.ts";

/**
 * `GET /api/app/<workspace>/export`: all data of the workspace as a file, or with `?person=<focus>` the data about one
 * person. It is written while it is read; a file without its last line, `{"end":true,…}`, is incomplete.
 */
export const exportRoute = (): RouteHandler =>
  handler((exchange) => {
    const requestId = requestIdOf(exchange);
    return answered("export", exchange, requestId, async (frame) => {
      const person = new URLSearchParams(exchange.query).get("person");
      const { caller } = await enter(exchange, requestId, byDownload, frame, "/export");
      const make = await (person === null ? openWorkspaceExport(caller) : openPersonExport(caller, person));
      const name = `${person === null ? "rapport" : "person"}-${new Date().toISOString().slice(0, 10)}.ndjson`;
      frame.headers["Content-Type"] = "application/x-ndjson; charset=utf-8";
      frame.headers["Content-Disposition"] = `attachment; filename="${name}"`;
      return { status: 200, body: written(make, requestId) };
    });
  });
