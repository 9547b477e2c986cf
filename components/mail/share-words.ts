import type { ShareLevel } from "#lib/domain/knowledge/messages/words.ts";

/** What others see at each level, as people choose it. */
export const shareWords: Readonly<Record<ShareLevel, { label: string; hint: string }>> = {
  nothing: { label: "Nothing", hint: "Your mail is yours alone. It moves no stage and appears on no timeline." },
  metadata: { label: "Who and when", hint: "Timelines show that you wrote or got mail, not what it says." },
  subject: { label: "Subjects", hint: "Also what each message is about." },
  everything: { label: "Everything", hint: "Also what messages say." },
};
