import { checkList } from "#lib/domain/knowledge/merges/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(checkList);
