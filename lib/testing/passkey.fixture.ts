/** A device that keeps one passkey, in software: what WebAuthn says that it and the browser send, and what they must not. */
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { NewPasskey, PasskeyAnswer } from "#lib/core/passkeys.ts";

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 } as const;

type AskedOptions = { challenge: string; rpId?: string; rp?: { id: string }; user?: { id: string } };
/** What differs from an answer that is right. */
export type Wrong = {
  origin?: string;
  challenge?: string;
  rpId?: string;
  type?: string;
  verified?: boolean;
  counter?: number;
  userHandle?: string;
  crossOrigin?: boolean;
  /** as a device that lets its maker vouch for it */
  statement?: "packed";
};

const sha256 = (of: string | Buffer): Buffer => createHash("sha256").update(of).digest();
const base64url = (of: string | Buffer): string => Buffer.from(of).toString("base64url");
const cborText = (text: string): Buffer => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
const cborBytes = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from([0x59, bytes.length >> 8, bytes.length & 0xff]), bytes]);

export function softwarePasskey(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(32);
  let counter = 0;
  let userHandle = "";

  const dataOf = (rpId: string, flags: number, count: number, rest: Buffer = Buffer.alloc(0)): Buffer => {
    const head = Buffer.alloc(5);
    head.writeUInt8(flags);
    head.writeUInt32BE(count, 1);
    return Buffer.concat([sha256(rpId), head, rest]);
  };
  const clientOf = (type: string, challenge: string, wrong: Wrong): string =>
    JSON.stringify({ type, challenge, origin: wrong.origin ?? origin, crossOrigin: wrong.crossOrigin ?? false });
  const flagsOf = ({ verified = true }: Wrong): number => FLAGS.present | (verified ? FLAGS.verified : 0);

  /** The public key in COSE: EC2, ES256, P-256, x, y. */
  function coseKey(): Buffer {
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    const point = (label: number, value: string) =>
      Buffer.concat([Buffer.from([label, 0x58, 0x20]), Buffer.from(value, "base64url")]);
    return Buffer.concat([Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]), point(0x21, x), point(0x22, y)]);
  }

  return {
    /** `navigator.credentials.create` */
    create(asked: AskedOptions, wrong: Wrong = {}): NewPasskey {
      userHandle = asked.user?.id ?? "";
      const rest = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey()]);
      const data = dataOf(wrong.rpId ?? asked.rp?.id ?? "", flagsOf(wrong) | FLAGS.attested, counter, rest);
      const statement =
        wrong.statement === "packed"
          ? Buffer.concat([Buffer.from([0xa1]), cborText("alg"), Buffer.from([0x26])])
          : Buffer.from([0xa0]);
      const attestation = Buffer.concat([
        ...[Buffer.from([0xa3]), cborText("fmt"), cborText(wrong.statement ?? "none")],
        ...[cborText("attStmt"), statement, cborText("authData"), cborBytes(data)],
      ]);
      const client = clientOf(wrong.type ?? "webauthn.create", wrong.challenge ?? asked.challenge, wrong);
      return { id: base64url(id), client_data: base64url(client), attestation: base64url(attestation) };
    },
    /** `navigator.credentials.get` */
    answer(asked: AskedOptions, wrong: Wrong = {}): PasskeyAnswer {
      counter = wrong.counter ?? counter + 1;
      const data = dataOf(wrong.rpId ?? asked.rpId ?? "", flagsOf(wrong), counter);
      const client = clientOf(wrong.type ?? "webauthn.get", wrong.challenge ?? asked.challenge, wrong);
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey);
      return {
        id: base64url(id),
        client_data: base64url(client),
        authenticator_data: base64url(data),
        signature: base64url(signature),
        user_handle: wrong.userHandle ?? userHandle,
      };
    },
  };
}
