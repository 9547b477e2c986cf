import { listApprovals } from "#lib/domain/approvals/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(listApprovals);
