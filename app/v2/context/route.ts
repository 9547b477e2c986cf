import { getContext } from "#lib/domain/knowledge/context/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(getContext);
