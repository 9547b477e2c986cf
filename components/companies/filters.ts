import { propertyFilter, sharedFilters, sourceFilter } from "#components/people/filters.ts";
import type { Filter } from "#components/records/list-kind.ts";

export const companyFilters: readonly Filter[] = [
  sharedFilters.owner,
  sharedFilters.after,
  sharedFilters.before,
  sharedFilters.score,
  { id: "domain", label: "Domain", names: "website", kind: "text", hint: "The whole domain, such as acme.com." },
  sourceFilter("company"),
  sharedFilters.status,
  sharedFilters.createdAfter,
  sharedFilters.createdBefore,
  sharedFilters.updatedAfter,
  sharedFilters.updatedBefore,
  propertyFilter("company"),
];
