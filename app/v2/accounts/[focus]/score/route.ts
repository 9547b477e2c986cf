import { getAccountScore } from "#lib/domain/scoring/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(getAccountScore);
