import { testTrigger } from "#lib/domain/triggers/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(testTrigger);
