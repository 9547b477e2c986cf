import { erasePerson } from "#lib/domain/workspace/privacy/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(erasePerson);
