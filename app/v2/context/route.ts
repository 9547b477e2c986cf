import { getContext } from "#lib/domain/context/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(getContext);
