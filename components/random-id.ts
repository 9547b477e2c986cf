/** A unique name: 128 random bits in hex. Unlike `crypto.randomUUID` it also works without HTTPS. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
