import type { SavedView } from "./contract.ts";
import type { ViewRow } from "./queries.ts";

export const viewOfRow = ({ id, list, name, place, ownerId, pinned, createdAt, updatedAt }: ViewRow): SavedView => ({
  id,
  list,
  name,
  place,
  shared: ownerId === null,
  pinned,
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});
