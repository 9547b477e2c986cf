import { listAudit } from "#lib/domain/records/audit/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(listAudit);
