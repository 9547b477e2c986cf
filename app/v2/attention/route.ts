import { listAttention } from "#lib/domain/attention/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(listAttention);
