const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

/** Words shorter than this have too many neighbours to guess from. */
const SHORTEST = 4;

/** True for a word that could be mistyped: letters only, and long enough. */
export const isCorrectable = (form: string): boolean =>
  form.length >= SHORTEST && form.length <= 24 && /^[a-z]+$/.test(form);

/** Every word one typing error away: a letter left out, added, replaced, or two neighbours swapped. The first letter stays. */
export function neighboursOf(form: string): string[] {
  const edits = new Set<string>();
  for (let at = 1; at <= form.length; at++) {
    const [before, after] = [form.slice(0, at), form.slice(at)];
    for (const letter of LETTERS) edits.add(before + letter + after);
    if (after === "") continue;
    edits.add(before + after.slice(1));
    for (const letter of LETTERS) edits.add(before + letter + after.slice(1));
    if (after.length > 1) edits.add(before + after.charAt(1) + after.charAt(0) + after.slice(2));
  }
  edits.delete(form);
  return [...edits];
}
