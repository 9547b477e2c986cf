import { unmergeAccounts } from "#lib/domain/merges/service.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(unmergeAccounts);
