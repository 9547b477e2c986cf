/** As the server writes a time in a sentence, `formatMinute`, or a day. */
const STAMP = /(?<![\d-])(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}) UTC|(?![\dT-]))/g;

/** A piece of a sentence; `iso` of one that is a time, or a day. */
export type Piece = { at: number; text: string; iso: string | null };

/** A sentence in pieces: the times in it, and the text between them. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { index, 0: stamp, 1: day, 2: minute } of text.matchAll(STAMP)) {
    const iso = minute === undefined ? `${day}` : `${day}T${minute}Z`;
    if (Number.isNaN(Date.parse(iso))) continue;
    if (index > end) pieces.push({ at: end, text: text.slice(end, index), iso: null });
    pieces.push({ at: index, text: stamp, iso });
    end = index + stamp.length;
  }
  if (end < text.length) pieces.push({ at: end, text: text.slice(end), iso: null });
  return pieces;
}
