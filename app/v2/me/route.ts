import { getCaller } from "#lib/domain/api-keys/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(getCaller);
