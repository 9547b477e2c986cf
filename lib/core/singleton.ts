/**
 * One value per process, even when Next and the front each load their own copy of a module.
 * `name` is global: keep it unique.
 */
export function singleton<T>(name: string, create: () => T): T {
  const key = Symbol.for(`rapport.${name}`);
  const store = globalThis as unknown as Record<symbol, T | undefined>;
  store[key] ??= create();
  return store[key];
}
