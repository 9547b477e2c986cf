/** Longer texts are no names, and are not kept. */
const LONGEST = 300;

/**
 * A function of a text, which must always give the same result for it, with its latest results kept. Importing a file asks
 * about the same host several times.
 */
export function remembered<T extends string | null>(of: (text: string) => T, most = 2_000): (text: string) => T {
  const latest = new Map<string, T>();
  return (text) => {
    const cached = latest.get(text);
    if (cached !== undefined) return cached;
    const result = of(text);
    if (text.length > LONGEST) return result;
    if (latest.size >= most) latest.clear();
    latest.set(text, result);
    return result;
  };
}
