import { forgetWebhook, registerWebhook } from "./service/webhook.ts";

export { registering } from "./service/webhook.ts";

export const jobs = [registerWebhook, forgetWebhook];
