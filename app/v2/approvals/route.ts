import { listApprovals } from "#lib/domain/access/approvals/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(listApprovals);
