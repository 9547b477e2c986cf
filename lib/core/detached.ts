/**
 * The same text with memory of its own. A piece that was cut out of a text (`slice`, `split`, a match) is a window on it
 * and keeps the whole of it, a note of megabytes say, for as long as the piece is remembered. For keys of what stays.
 */
export const detached = (text: string): string => Buffer.from(text).toString();
