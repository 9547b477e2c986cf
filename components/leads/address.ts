import { parseAsSeveral } from "#components/records/parse-several.ts";
import {
  parseAsBoolean,
  parseAsFloat,
  parseAsString,
  parseAsStringLiteral,
  parseAsStrings,
  withDefault,
} from "#components/ui/query-state.ts";

/** A list of leads in the address, under the names of the API's parameters. Server and browser read it the same way. */
export const leadsAddress = {
  status: parseAsSeveral(["pending", "sent", "replied", "bounced"]),
  reply_outcome: parseAsSeveral(["interested", "objection", "wrong_fit", "unsubscribe"]),
  has_replied: parseAsBoolean,
  has_email: parseAsBoolean,
  sent_within: parseAsString,
  sent_before: parseAsString,
  score_gte: parseAsFloat,
  score_lte: parseAsFloat,
  sort: withDefault(parseAsStringLiteral(["created_desc", "created_asc", "score_desc"]), "created_desc"),
  cols: parseAsStrings,
};
