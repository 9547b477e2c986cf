import type { Maintenance } from "#lib/jobs/handler.ts";
import { askProviders, queueAsking } from "./service/standing.ts";
import { forgetWebhook, registerWebhook } from "./service/webhook.ts";

export { registering } from "./service/webhook.ts";

export const jobs = [registerWebhook, forgetWebhook, askProviders];

export const maintenance: readonly Maintenance[] = [
  { name: "asking providers", step: (workspaceId) => queueAsking(workspaceId).then(() => false) },
];
