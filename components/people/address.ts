import { parseAsSeveral } from "#components/records/parse-several.ts";
import { standardSort } from "#components/records/place.ts";
import { stages } from "#components/records/stages.ts";
import {
  parseAsBoolean,
  parseAsFields,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
  parseAsStrings,
  withDefault,
} from "#components/ui/query-state.ts";
import { companySorts, personSorts } from "#lib/domain/crm/people/words.ts";

/** The state that both lists keep in the address, under the names of the API's parameters. */
export const sharedAddress = {
  search: parseAsString,
  source: parseAsString,
  owner: parseAsString,
  status: parseAsStringLiteral(["archived"]),
  last_activity_after: parseAsString,
  last_activity_before: parseAsString,
  created_after: parseAsString,
  created_before: parseAsString,
  updated_after: parseAsString,
  updated_before: parseAsString,
  min_icp_score: parseAsInteger,
  max_icp_score: parseAsInteger,
  property: parseAsFields,
  sort: withDefault(parseAsStringLiteral(companySorts), standardSort),
  cols: parseAsStrings,
  widths: parseAsStrings,
  view: parseAsString,
};

/** The list of people in the address. Server and browser read it the same way. */
export const peopleAddress = {
  ...sharedAddress,
  layout: parseAsStringLiteral(["board"]),
  sort: withDefault(parseAsStringLiteral(personSorts), standardSort),
  pipeline_stage: parseAsSeveral(stages),
  has_email: parseAsBoolean,
  has_linkedin: parseAsBoolean,
  email: parseAsString,
  linkedin_url: parseAsString,
  company_id: parseAsString,
  company: parseAsFields,
  title: parseAsString,
  not_contacted_for: parseAsString,
  known_by: parseAsString,
};
