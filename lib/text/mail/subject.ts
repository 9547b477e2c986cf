import { oneLine } from "#lib/text/clip.ts";

/**
 * What mail programs put before a subject when they answer or forward: English, German, French, Spanish, Portuguese, Italian,
 * Dutch, the Nordic languages, Polish, Czech, Turkish, Russian, Japanese and Chinese.
 */
const PREFIXES = [
  ...["re", "fw", "fwd", "aw", "wg", "antw", "antwort", "tr", "ré", "réf", "rép", "rv", "res", "enc", "r", "i", "rif"],
  ...["doorst", "fs", "sv", "vs", "vb", "vl", "vedr", "odp", "pd", "ynt", "ilt", "İlt", "на", "ответ", "отв", "пересл"],
  ...["返信", "転送", "回复", "回覆", "答复", "答覆", "转发", "轉寄"],
];

const PREFIX = new RegExp(`^(?:${PREFIXES.join("|")})(?: ?[[(（]\\d{1,3}[\\])）]|\\^\\d{1,3})? ?[:：] ?`, "iu");
/** A tag of a list or a gateway, as `[EXTERNAL]`: no part of the subject when words follow it. */
const TAG = /^\[[^[\]]{1,60}\] ?(?=.)/u;
const FORWARDED = /\s*\(fwd\)$/i;

/** The subject that a whole thread has: without `Re:`, `WG:` and the like, tags before it, and doubled spaces. */
export function baseSubjectOf(subject: string | null): string {
  let text = oneLine((subject ?? "").slice(0, 2_000));
  for (;;) {
    const shorter = text.replace(PREFIX, "").replace(TAG, "").replace(FORWARDED, "");
    if (shorter === text) return text;
    text = shorter;
  }
}
