/** The site's URL without query, fragment and trailing slash; a bare host gets https. Null for anything that is not one. */
export function normaliseWebsite(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed === "" || /\s/.test(trimmed)) return null;
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return null;
  if (!/^[^.]+(\.[^.]+)+\.?$/.test(url.hostname)) return null;
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}
