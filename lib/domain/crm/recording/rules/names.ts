/** First and last name from a full name; an address in its place is not a name. */
export function namesIn(name: string | null): Record<string, string> {
  const [first = "", ...rest] = (name ?? "").trim().slice(0, 400).split(/\s+/);
  if (first === "" || first.includes("@")) return {};
  return { first_name: first.slice(0, 200), ...(rest.length > 0 ? { last_name: rest.join(" ").slice(0, 200) } : {}) };
}
