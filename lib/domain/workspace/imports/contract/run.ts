import { defineOperation } from "#lib/core/operation.ts";
import { tag } from "./fields.ts";
import { exampleImport, inStates, withMapping } from "./import.ts";

export const previewImport = defineOperation({
  name: "previewImport",
  tag,
  summary: "Say what an import would do, row by row, without doing it",
  description:
    "A dry run: counts are in `check` when the state is `ready` again, rows at `GET /v2/imports/:id/rows`. Writes nothing to people, companies, notes or activities.",
  surface: "public",
  scope: "write",
  http: { method: "POST", path: "/v2/imports/:id/preview" },
  ...withMapping,
  example: { input: { id: exampleImport.id }, output: { import: { ...exampleImport, state: "checking" } } },
});

export const runImport = defineOperation({
  name: "runImport",
  tag,
  summary: "Import the file",
  description:
    "Runs in the background and goes on after a restart; no row is done twice. Afterwards past bookings of the imported people are looked up when a booking provider is connected. Also goes on with an import that was cancelled or has failed.",
  surface: "public",
  scope: "write",
  asksPerson: () => true,
  http: { method: "POST", path: "/v2/imports/:id/run" },
  ...withMapping,
  example: { input: { id: exampleImport.id }, output: { import: { ...exampleImport, state: "running" } } },
});

export const cancelImport = defineOperation({
  name: "cancelImport",
  tag,
  summary: "Stop an import, or discard a file that was not imported",
  description: "What was imported before stays, and can be undone. The file of an import that never ran is deleted.",
  surface: "public",
  scope: "write",
  asksPerson: () => true,
  http: { method: "POST", path: "/v2/imports/:id/cancel" },
  ...inStates,
  example: { input: { id: exampleImport.id }, output: { import: { ...exampleImport, state: "cancelled" } } },
});

export const undoImport = defineOperation({
  name: "undoImport",
  tag,
  summary: "Undo an import",
  description:
    "Takes back what it recorded: records it created disappear, values are again what they were before. Evidence is retired, not destroyed. Records that it created and someone has worked with since stay; `undo` counts and names them.",
  surface: "public",
  scope: "write",
  asksPerson: () => true,
  http: { method: "POST", path: "/v2/imports/:id/undo" },
  ...inStates,
  example: { input: { id: exampleImport.id }, output: { import: { ...exampleImport, state: "undoing" } } },
});
