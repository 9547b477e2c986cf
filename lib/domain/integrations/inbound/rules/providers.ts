import type { News } from "#lib/providers/news.ts";
import type { Inbound } from "#lib/providers/provider.ts";
import { registry } from "#lib/providers/registry.ts";
import { type InboundProvider, inboundProviders } from "../contract.ts";

/** How a provider's deliveries are signed and read. */
export const inboundOf = (provider: InboundProvider): Inbound => registry[provider].inbound;

export const isInboundProvider = (name: string): name is InboundProvider =>
  (inboundProviders as readonly string[]).includes(name);

/** The meeting that a delivery is about; null when it is about none. */
export function titleOf(news: News): string | null {
  if (news.kind === "recorded") return news.recording.title;
  return "booking" in news ? (news.booking.title?.trim().slice(0, 200) ?? null) : null;
}

/** A delivery about more people than this is not recorded while its sender waits. */
const FEW = 20;

export const isLarge = (news: News): boolean =>
  news.kind === "recorded"
    ? news.recording.invitees.length > FEW
    : "booking" in news && news.booking.attendees.length > FEW;
