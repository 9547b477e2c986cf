/** Properties of a person that have a field of their own; anything else is a custom property. */
export const personFields = [
  "first_name",
  "last_name",
  "job_title",
  "company",
  "phone",
  "pipeline_stage",
  "icp_score",
  "source",
  "works_at",
  "owner",
] as const;

export const companyFields = ["name", "industry", "employee_count", "country", "icp_score", "source", "owner"] as const;

/** Names that callers use for a standard field; they are no custom properties. */
export const fieldAliases: Readonly<Record<"person" | "company", Readonly<Record<string, string>>>> = {
  person: { stage: "pipeline_stage", phone_number: "phone" },
  company: {},
};

/** A custom property's name: snake_case, and not a field or identifier. */
export const CUSTOM_NAME = /^[a-z][a-z0-9_]{0,62}$/;

export type CustomValue = string | number | boolean | string[];

/** True for a value a custom property may have (null, which ends it, aside). */
export const isCustomValue = (value: unknown): value is CustomValue =>
  typeof value === "string" ||
  Number.isFinite(value) ||
  typeof value === "boolean" ||
  (Array.isArray(value) && value.every((item) => typeof item === "string"));
