/** How companies are sorted. */
export const companySorts = [
  "last_activity_desc",
  "last_activity_asc",
  "icp_score_desc",
  "icp_score_asc",
  "created_desc",
  "created_asc",
  "name_asc",
  "name_desc",
] as const;

/** How people are sorted. */
export const personSorts = [...companySorts, "company_asc", "company_desc", "stage_desc", "stage_asc"] as const;
