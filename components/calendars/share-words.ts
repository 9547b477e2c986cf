import type { ShareLevel } from "#lib/domain/knowledge/messages/words.ts";

/** What others see of meetings at each level, as people choose it. */
export const shareWords: Readonly<Record<ShareLevel, { label: string; hint: string }>> = {
  nothing: { label: "Nothing", hint: "Your meetings are yours alone. They move no stage and appear on no timeline." },
  metadata: { label: "Who and when", hint: "Timelines show that you meet, not what it is about." },
  subject: { label: "Titles", hint: "Also what each meeting is called." },
  everything: { label: "Everything", hint: "Also descriptions and places." },
};
