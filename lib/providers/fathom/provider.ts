import { canSign, standardWebhooks } from "#lib/settings/webhook-signatures.ts";
import { SAMPLE_ADDRESS } from "../news.ts";
import type { Provider } from "../provider.ts";
import { checkKey } from "./portal.ts";
import { readRecording } from "./recordings.ts";

export const fathom = {
  displayName: "Fathom",
  category: "recording",
  address: "FATHOM_API_URL",
  credentials: { required: ["signing_secret"], optional: ["api_key"] },
  check({ signing_secret = "" }) {
    const isRight = signing_secret.startsWith("whsec_") && canSign(standardWebhooks, signing_secret);
    return isRight ? null : "signing_secret is whsec_ followed by base64, as the provider shows it";
  },
  // It only delivers, and its signatures are checked as they come; a key is asked for where there is one.
  async ask(address, { api_key }) {
    if (api_key !== undefined) await checkKey(address, api_key);
    return { id: null, name: null, ownAddresses: [] };
  },
  deliveries: "pasted",
  inbound: {
    scheme: standardWebhooks,
    serverSecret: "FATHOM_WEBHOOK_SECRET",
    eventOf: () => null,
    read(payload, receivedAt) {
      const recording = readRecording(payload, receivedAt);
      return recording ? { kind: "recorded", recording } : { kind: "skip", reason: "no_recording_id" };
    },
    sample: (at) => ({
      title: "Signed test from Rapport",
      recording_id: 0,
      share_url: null,
      created_at: at.toISOString(),
      recording_start_time: at.toISOString(),
      default_summary: { template_name: "general", markdown_formatted: "A sample meeting with a sample guest." },
      calendar_invitees: [{ name: "Sample guest", email: SAMPLE_ADDRESS, is_external: true }],
    }),
  },
} satisfies Provider;
