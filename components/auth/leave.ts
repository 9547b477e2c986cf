/** Loads another page anew, for the server to see who reads now. Never answers, so that a form stays busy until then. */
export function leaveFor(path: string): Promise<never> {
  window.location.assign(path);
  return new Promise(() => undefined);
}
