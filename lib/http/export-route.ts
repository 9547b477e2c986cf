import { type Export, openPersonExport, openWorkspaceExport } from "#lib/domain/workspace/privacy/service.ts";
import { answered } from "./answer.ts";
import { handler, type RouteHandler } from "./exchange.ts";
import { countRequest } from "./rate-limit.ts";
import { requestIdOf } from "./request-id.ts";
import { byDownload } from "./session.ts";
import { written } from "./written.ts";

/**
 * `GET /api/app/<workspace>/export`: all data of the workspace as a file, or with `?person=<focus>` the data about one
 * person. It is written while it is read; a file without its last line, `{"end":true,…}`, is incomplete.
 */
export const exportRoute = (): RouteHandler =>
  handler(async (exchange) => {
    const requestId = requestIdOf(exchange);
    let opened: Export | undefined;
    const person = new URLSearchParams(exchange.query).get("person");
    const answer = await answered("export", exchange, requestId, async (headers, note) => {
      const { caller, rateKey } = await byDownload(exchange, requestId, null);
      note({ workspace_id: caller.workspaceId });
      countRequest(rateKey, headers);
      opened = await (person === null ? openWorkspaceExport(caller) : openPersonExport(caller, person));
      return { status: 200, body: "" };
    });
    if (!opened) return answer;
    const name = `${person === null ? "rapport" : "person"}-${new Date().toISOString().slice(0, 10)}.ndjson`;
    const headers = {
      ...answer.headers,
      "Content-Type": "application/x-ndjson; charset=utf-8",
      "Content-Disposition": `attachment; filename="${name}"`,
    };
    return { status: 200, headers, body: written(opened, requestId) };
  });
