import { createHmac, timingSafeEqual } from "node:crypto";

const TOLERANCE_SECONDS = 300;

/** Whether a delivery is signed with the secret, as https://www.standardwebhooks.com says. Nodes may not bring packages. */
export function isSigned(
  secret: string,
  body: Buffer,
  headers: Readonly<Record<string, string | undefined>>,
  now: Date,
): boolean {
  const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signatures } = headers;
  if (secret === "" || !id || !time || !signatures) return false;
  if (!(Math.abs(now.getTime() / 1000 - Number(time)) <= TOLERANCE_SECONDS)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${time}.`).update(body).digest();
  return signatures
    .split(" ")
    .filter((one) => one.startsWith("v1,"))
    .map((one) => Buffer.from(one.slice("v1,".length), "base64"))
    .some((mac) => mac.length === expected.length && timingSafeEqual(mac, expected));
}
