import { sentencesOf } from "./sentences.ts";

/** A passage to embed; `position` is where it begins, in code points. */
export type Chunk = { position: number; text: string };

/** Length at which a passage ends with its sentence, in UTF-16 units: some 250 words, well within every model's limit. */
const LENGTH = 1500;

/** A single sentence can be longer (a table, a listing); no model reads more of it. */
const LONGEST = 6000;

/** Passages of one note; what follows is found by its words only. */
const MOST = 200;

/** Cuts a note into passages of whole sentences; the title begins each, so that its vector says what it is about. */
export function chunksOf(title: string | null, content: string): Chunk[] {
  const chunks: Chunk[] = [];
  let [from, position, last] = [0, 0, 0];
  const close = (to: number) => {
    const text = content.slice(from, to).trim().slice(0, LONGEST).toWellFormed();
    if (text !== "") chunks.push({ position, text: title ? `${title}\n\n${text}` : text });
  };
  let begun = false;
  for (const sentence of sentencesOf(content)) {
    if (!begun) position = sentence.start;
    begun = true;
    last = sentence.next;
    if (last - from < LENGTH) continue;
    close(last);
    if (chunks.length === MOST) return chunks;
    from = last;
    begun = false;
  }
  if (begun) close(last);
  return chunks;
}
