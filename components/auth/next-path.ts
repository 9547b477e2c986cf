/** Where to go after signing in: a path of this site, never another site. */
export function nextPath(parameter: string | string[] | null | undefined): string {
  const path = typeof parameter === "string" ? parameter : "";
  // A backslash counts as a slash to browsers, so "/\evil.example" leads to another site, as "//evil.example" does.
  const isOwn = /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(path);
  return isOwn && !/^\/(sign-in|sign-up|api)(\/|\?|$)/.test(path) ? path : "/";
}
