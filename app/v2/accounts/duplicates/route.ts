import { suggestMerges } from "#lib/domain/merges/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(suggestMerges);
