const PREFIX = "interaction.";

/** The activity type of an event; its property when it is no interaction. */
export const typeOf = (property: string): string =>
  property.startsWith(PREFIX) ? property.slice(PREFIX.length) : property;

/** The properties that a type filter means. */
export const propertiesOfType = (type: string): string[] => [PREFIX + type, type];

const labels = ["description", "summary", "title", "subject", "text", "content", "name"] as const;

/** The human-readable label of an event's value; null when it has none. */
export function labelOf(value: unknown): string | null {
  if (typeof value === "string") return value.trim() === "" ? null : value;
  if (typeof value !== "object" || value === null) return null;
  for (const label of labels) {
    const text = (value as Record<string, unknown>)[label];
    if (typeof text === "string" && text.trim() !== "") return text;
  }
  return null;
}
