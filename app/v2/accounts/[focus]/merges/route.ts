import { listMerges } from "#lib/domain/knowledge/merges/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(listMerges);
