import type { SavedView } from "./contract.ts";
import type { ViewRow } from "./queries.ts";

export const viewOfRow = ({ id, list, name, place, ownerId, createdAt, updatedAt }: ViewRow): SavedView => ({
  id,
  list,
  name,
  place,
  shared: ownerId === null,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});
