import { ApiError } from "#components/api.ts";

/** The parts of the form that an error can be about. */
export type KeyField = "name" | "expiry" | "addresses" | "hidden";

/** What went wrong, and beside which field to show it; null: beside none. */
export function problemOf(error: unknown): { field: KeyField | null; message: string } {
  if (!(error instanceof ApiError)) return { field: null, message: "That did not work. Try again." };
  return { field: fieldOf(error), message: error.message };
}

function fieldOf({ code, extras }: ApiError): KeyField | null {
  const parameter = String(extras.parameter ?? "").split(".")[0];
  if (code === "name_required" || parameter === "name") return "name";
  if (code === "invalid_cidr" || parameter === "allowed_cidrs") return "addresses";
  if (parameter === "hidden_fields") return "hidden";
  return parameter?.startsWith("expires") ? "expiry" : null;
}
