import { listFacts, saveFact } from "#lib/domain/records/facts/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(listFacts);
export const POST = route(saveFact);
