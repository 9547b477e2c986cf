/** The number that a text is, with separators of thousands or without; null for anything else. */
export function numberIn(text: string): number | null {
  const plain = text.trim().replaceAll(/(?<=\d)[,'](?=\d{3}\b)/g, "");
  return /^-?\d{1,15}(\.\d{1,6})?$/.test(plain) ? Number(plain) : null;
}
