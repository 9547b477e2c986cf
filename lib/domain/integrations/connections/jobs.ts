import { handles } from "#lib/jobs/handler.ts";
import { forgetting, forgetWebhook, registering, registerWebhook } from "./service/webhook.ts";

export { registering } from "./service/webhook.ts";

export const jobs = [handles(registering, registerWebhook), handles(forgetting, forgetWebhook)];
