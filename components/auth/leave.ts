/**
 * Loads another page from the server, because the session has changed. Never resolves, so that a form stays busy until
 * then.
 */
export function leaveFor(path: string): Promise<never> {
  window.location.assign(path);
  return new Promise(() => undefined);
}
