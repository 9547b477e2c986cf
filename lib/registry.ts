import * as activities from "#lib/domain/activities/service.ts";
import * as apiKeys from "#lib/domain/api-keys/service.ts";
import * as facts from "#lib/domain/facts/service.ts";
import type { Operation } from "#lib/domain/implement.ts";

const isOperation = (value: unknown): value is Operation =>
  typeof value === "object" && value !== null && "contract" in value && "execute" in value;

/** Every operation there is. Routes, the OpenAPI document, the session surface and the conformance battery read it. */
export const operations: readonly Operation[] = [activities, apiKeys, facts].flatMap((slice) =>
  Object.values(slice).filter(isOperation),
);
