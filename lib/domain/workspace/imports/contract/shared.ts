import { z } from "zod";
import { ofOne } from "#lib/core/of-one.ts";
import { offsetPage } from "#lib/core/page-input.ts";
import { Id } from "#lib/core/schema.ts";
import { Import } from "./import.ts";

export const page = { has_more: offsetPage.has_more, next_cursor: offsetPage.next_cursor };
export const ImportId = Id.describe("The import.");
export const One = z.strictObject({ import: Import });
const known = { id: ImportId, output: One, missing: "import_not_found" } as const;
export const ofImport = ofOne(known);
export const inStates = ofOne({ ...known, also: ["import_not_possible"] });
export const withMapping = ofOne({ ...known, also: ["import_not_possible", "invalid_mapping"] });
