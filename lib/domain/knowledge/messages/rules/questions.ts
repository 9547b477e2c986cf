import { clip } from "#lib/text/clip.ts";

/** What is asked for without a question mark, at the beginning of a sentence. */
const REQUEST =
  /^(?:please|kindly|let (?:me|us) know|(?:could|can|would|will) you|send (?:me|us)|bitte|(?:könnten|können|kannst|könntest) (?:sie|du)|merci de|pourriez-vous|por favor)\b/iu;

/** What is asked out of politeness. */
const POLITE = /^(?:(?:and )?how are (?:you|things)|how(?:'s| is) (?:it going|everything)|wie geht(?:'s| es)|ça va)/iu;

const SENTENCE_ENDS = /(?<=[.!?…？؟]["”»)]?)\s+|\n+/u;
const MOST = 5;
const LONGEST = 300;

/** What a message asks, by plain rules: sentences that end with a question mark or begin as a request does, in their order. */
export function questionsIn(text: string): string[] {
  const asked = new Set<string>();
  for (const part of text.split(SENTENCE_ENDS)) {
    const sentence = part.replace(/^[\s>*•–-]+/, "").trim();
    const isAsked = /[?？؟]["”»)]?$/u.test(sentence) || REQUEST.test(sentence);
    if (!isAsked || !/\p{L}{2}/u.test(sentence) || POLITE.test(sentence)) continue;
    asked.add(clip(sentence, LONGEST));
  }
  return [...asked].slice(0, MOST);
}
