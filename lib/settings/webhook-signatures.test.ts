import { createHmac, randomBytes } from "node:crypto";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { Webhook as Svix } from "svix";
import { describe, expect, it } from "vitest";
import calVectors from "#lib/testing/samples/cal/signature.vectors.json" with { type: "json" };
import fathomMeeting from "#lib/testing/samples/fathom/webhook.minimal.json" with { type: "json" };
import vectors from "#lib/testing/samples/standardwebhooks/vectors.json" with { type: "json" };
import {
  canSign,
  type HeaderOf,
  isProven,
  readSignature,
  type SigningScheme,
  signatureHeaders,
  standardWebhooks,
} from "./webhook-signatures.ts";

function verifySignature(scheme: SigningScheme, secret: string | null, header: HeaderOf, body: Buffer, now?: Date) {
  const signature = readSignature(scheme, secret, header, now);
  if (typeof signature === "string") return signature;
  return isProven(signature, body) ? "verified" : "invalid_signature";
}

const cal: SigningScheme = { header: "x-cal-signature-256", encoding: "hex", key: "text" };

/** As a server would look a header up: by its lower-case name. */
const reader = (headers: Record<string, string>) => {
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name: string) => lower[name];
};

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const at = new Date("2026-06-01T12:00:00Z");
const later = (seconds: number) => new Date(at.getTime() + seconds * 1000);

describe("Standard Webhooks", () => {
  const wanted: Record<string, string> = {
    ok: "verified",
    no_match: "invalid_signature",
    too_old: "timestamp_out_of_tolerance",
    too_new: "timestamp_out_of_tolerance",
    missing_headers: "signature_missing",
    not_verifiable: "signing_secret_not_configured",
  };

  it.each(vectors.vectors)("the published vector: $name", ({ secret, body, headers, now, expect: expected }) => {
    const verdict = verifySignature(
      standardWebhooks,
      secret,
      reader(headers as unknown as Record<string, string>),
      Buffer.from(body),
      new Date(now * 1000),
    );
    expect(verdict).toBe(wanted[expected]);
  });

  it.each([
    ["standardwebhooks", new Webhook(secret)],
    ["svix", new Svix(secret)],
  ])("what the library %s signs is verified, and it verifies what we sign", (_name, library) => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.uuid(), (text, id) => {
        const body = JSON.stringify({ text });
        const now = new Date();
        const time = String(Math.floor(now.getTime() / 1000));
        const theirs = {
          "webhook-id": id,
          "webhook-timestamp": time,
          "webhook-signature": library.sign(id, now, body),
        };
        expect(verifySignature(standardWebhooks, secret, reader(theirs), Buffer.from(body), now)).toBe("verified");
        const ours = signatureHeaders(standardWebhooks, secret, body, { id, at: now });
        expect(() => library.verify(body, ours)).not.toThrow();
      }),
      { numRuns: 50 },
    );
  });

  it("any one flipped bit of body, id or time is refused", () => {
    const body = Buffer.from(JSON.stringify(fathomMeeting));
    const headers = signatureHeaders(standardWebhooks, secret, body, { id: "msg_1", at });
    const verify = (more: Record<string, string>, bytes = body) =>
      verifySignature(standardWebhooks, secret, reader({ ...headers, ...more }), bytes, at);
    fc.assert(
      fc.property(fc.nat(body.length - 1), fc.nat(7), (place, bit) => {
        const changed = Buffer.from(body);
        changed[place] = (changed[place] as number) ^ (1 << bit);
        expect(verify({}, changed)).toBe("invalid_signature");
      }),
    );
    expect(verify({ "webhook-id": "msg_2" })).toBe("invalid_signature");
    expect(verify({ "webhook-timestamp": String(Number(headers["webhook-timestamp"]) + 1) })).toBe("invalid_signature");
    expect(verify({}, Buffer.from(JSON.stringify(fathomMeeting, null, 1)))).toBe("invalid_signature");
    expect(verify({}, body.subarray(0, -1))).toBe("invalid_signature");
  });

  it.each([
    [-301, "timestamp_out_of_tolerance"],
    [-300, "verified"],
    [0, "verified"],
    [300, "verified"],
    [301, "timestamp_out_of_tolerance"],
  ])("a clock %i seconds later says %s", (seconds, verdict) => {
    const headers = signatureHeaders(standardWebhooks, secret, "{}", { id: "msg_1", at });
    expect(verifySignature(standardWebhooks, secret, reader(headers), Buffer.from("{}"), later(seconds))).toBe(verdict);
  });

  it.each(["", "12.5", "-1", "1e9", "0x10", "now", "99999999999999999999"])("the time %j is refused", (time) => {
    const headers = { ...signatureHeaders(standardWebhooks, secret, "{}", { id: "a", at }), "webhook-timestamp": time };
    const verdict = verifySignature(standardWebhooks, secret, reader(headers), Buffer.from("{}"), at);
    expect(verdict).toBe(time === "" ? "signature_missing" : "invalid_signature");
  });

  it("of several signatures any may match, also when a proxy joined them from several headers", () => {
    const headers = signatureHeaders(standardWebhooks, secret, "{}", { id: "a", at });
    const good = headers["webhook-signature"];
    const bad = `v1,${randomBytes(32).toString("base64")}`;
    const verify = (signature: string) =>
      verifySignature(
        standardWebhooks,
        secret,
        reader({ ...headers, "webhook-signature": signature }),
        Buffer.from("{}"),
        at,
      );
    for (const list of [
      `${bad} ${good}`,
      `${good} ${bad}`,
      `${bad}, ${good}`,
      `${good}, ${bad}`,
      `v1a,x v2,y  ${good}`,
    ])
      expect(verify(list)).toBe("verified");
    for (const list of [
      bad,
      `${bad} ${bad}`,
      "v1,",
      "v1",
      ",",
      String(good).slice(0, -1),
      `${good}=`,
      `v1, ${String(good).slice(3)}`,
    ])
      expect(verify(list)).toBe("invalid_signature");
    expect(verify(`${`${bad} `.repeat(20)}${good}`)).toBe("invalid_signature");
  });

  it("a secret without its prefix is read as base64 or as text; an empty or broken one is refused", () => {
    const body = Buffer.from("{}");
    const key = randomBytes(24);
    const sign = (of: Buffer) => ({
      "webhook-id": "a",
      "webhook-timestamp": String(at.getTime() / 1000),
      "webhook-signature": `v1,${createHmac("sha256", of)
        .update(`a.${at.getTime() / 1000}.{}`)
        .digest("base64")}`,
    });
    const verdict = (given: string | null, of: Buffer) =>
      verifySignature(standardWebhooks, given, reader(sign(of)), body, at);
    expect(verdict(key.toString("base64"), key)).toBe("verified");
    expect(verdict("plain words!", Buffer.from("plain words!"))).toBe("verified");
    for (const none of [null, "", "  ", "whsec_", "whsec_%%%"]) {
      expect(verdict(none, Buffer.from(""))).toBe("signing_secret_not_configured");
      expect(canSign(standardWebhooks, none ?? "")).toBe(false);
    }
  });
});

describe("a hex signature over the body alone", () => {
  const wanted: Record<string, string> = {
    no_match: "invalid_signature",
    reject_config: "signing_secret_not_configured",
    ok_if_normalised: "verified",
  };

  it.each(calVectors.vectors)("the published vector: $name", ({ secret, body, signature, expect: expected }) => {
    const headers = { [calVectors.header]: signature };
    expect(verifySignature(cal, secret, reader(headers), Buffer.from(body))).toBe(wanted[expected]);
  });

  it("covers the bytes: the same value written differently is refused", () => {
    const signature = createHmac("sha256", "s3cr3t").update('{"a":1}').digest("hex");
    const verify = (body: string, given = signature) =>
      verifySignature(cal, "s3cr3t", reader({ "x-cal-signature-256": given }), Buffer.from(body));
    expect(verify('{"a":1}')).toBe("verified");
    for (const body of ['{ "a": 1 }', '{"a":1}\n', '{"a":1.0}', ""]) expect(verify(body)).toBe("invalid_signature");
    for (const given of ["0", signature.slice(2), `${signature}00`, `sha256=${signature}`])
      expect(verify('{"a":1}', given)).toBe("invalid_signature");
    for (const given of ["", " "]) expect(verify('{"a":1}', given)).toBe("signature_missing");
  });
});
