import { listAttention } from "#lib/domain/knowledge/attention/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(listAttention);
