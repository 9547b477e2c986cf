import type { Maintenance, Walk } from "#lib/jobs/handler.ts";
import { embedNotes, findEndpoint, queueEmbedding } from "./service/embedding.ts";
import { queueTidying, tidyNotes } from "./service/tidying.ts";

export const jobs = [tidyNotes, embedNotes];

/**
 * Finds what waits without a job: saved before there was an endpoint, by an earlier release, or embedded by another
 * model.
 */
export const maintenance: readonly Maintenance[] = [
  {
    name: "notes",
    async step(workspaceId) {
      await queueTidying(workspaceId);
      await queueEmbedding(workspaceId);
      return false;
    },
  },
];

/** A process that starts may have another model than the one before it. */
export const walks: readonly Walk[] = [
  { name: "notes:model", parts: maintenance, atStart: () => findEndpoint() !== null },
];
