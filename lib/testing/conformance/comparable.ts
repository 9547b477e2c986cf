/** An answer without what differs between two calls in two workspaces, by two authors: ids, times, secrets, names of authors. */
export const comparable = (answer: unknown): unknown => ignoreAuthor(shapeOf(JSON.parse(JSON.stringify(answer))));

const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shapeOf(member)]));
  if (typeof value !== "string") return value;
  return value
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<id>")
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, "<time>")
    .replace(/^\d{10}$/, "<seconds>")
    .replaceAll(/whsec_[0-9A-Za-z+/]+=*/g, "<secret>")
    .replaceAll(/[0-9A-Za-z_]{28,}/g, "<secret>");
};

/**
 * A key, a person and a job are different authors, and some answers say who it was; ids differ in length as tokens; a
 * cursor is sealed for its workspace; no two attempts take the same time. Whether there is one, and of which type, is the same.
 */
const authored = new Set([
  ...["token_estimate", "tokens", "prefix", "last_four", "ms", "cursor", "next_cursor"],
  ...["created_by", "actor", "key_name", "done_by", "client"],
]);
/** Who decided or invited: a person, and no one where it was a key. */
const ofPeople = new Set(["decided_by", "invited_by"]);
/** The sources of what an author says without naming one. */
const ownSources: readonly unknown[] = ["api", "manual", "mcp"];

const ignoreAuthor = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ignoreAuthor);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      if (key === "source" && ownSources.includes(member)) return [key, "<own>"];
      if (ofPeople.has(key)) return [key, "<author>"];
      if (!authored.has(key)) return [key, ignoreAuthor(member)];
      return [key, member === null ? null : `<author: ${typeof member}>`];
    }),
  );
};
