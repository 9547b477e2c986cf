import { allowAgain } from "#lib/domain/records/tombstones/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(allowAgain);
