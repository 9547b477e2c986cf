/** A Standard Webhooks secret as written: `whsec_` and the base64 of 24 to 64 bytes. */
export function isSigningSecret(value: string): boolean {
  const [, base64 = ""] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(value) ?? [];
  const bytes = Buffer.from(base64, "base64");
  return bytes.length >= 24 && bytes.length <= 64;
}
