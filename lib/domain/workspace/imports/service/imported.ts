import type { Traces } from "#lib/domain/crm/people/service.ts";
import type { RowResult } from "../rules/progress.ts";

/** What a batch did, as far as it is shown and undone. */
export type Imported = { results: (RowResult | null)[]; traces: Traces };
