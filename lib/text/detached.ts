/**
 * The same text with its own memory. A piece cut out of a text (`slice`, `split`, a match) is a window on it and keeps
 * all of it in memory, a note of megabytes say, as long as the piece lives. For keys of long-lived maps.
 */
export const detached = (text: string): string => Buffer.from(text).toString();
