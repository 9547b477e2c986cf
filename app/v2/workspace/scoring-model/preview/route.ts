import { previewScoringModel } from "#lib/domain/scoring/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(previewScoringModel);
