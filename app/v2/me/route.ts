import { getCaller } from "#lib/domain/access/api-keys/service.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(getCaller);
