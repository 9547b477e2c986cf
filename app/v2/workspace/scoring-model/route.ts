import { buildScoringModel, getScoringModel } from "#lib/domain/knowledge/scoring/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(getScoringModel);
export const POST = route(buildScoringModel);
