import fc from "fast-check";
import { describe, expect, test } from "vitest";
import created from "#lib/testing/samples/cal/docs.booking_created.json" with { type: "json" };
import full from "#lib/testing/samples/fathom/webhook.new_meeting_content_ready.full.json" with { type: "json" };
import { inboundProviders } from "../contract.ts";
import { inboundOf, isLarge, titleOf } from "./providers.ts";

const at = new Date("2026-06-01T12:00:00Z");

/** Every path to a value inside. */
function pathsOf(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, member]) => pathsOf(member, [...path, key]))];
}

/** The same with one value put in another's place. */
function replaced(value: unknown, [key, ...rest]: readonly (string | number)[], by: unknown): unknown {
  if (key === undefined) return by;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}

describe.each(inboundProviders)("what %s delivers", (provider) => {
  const { read, eventOf, sample } = inboundOf(provider);
  const whole = provider === "fathom" ? full : created;
  const look = (payload: Record<string, unknown>) => {
    const news = read(payload, at);
    return [eventOf(payload), titleOf(news), isLarge(news), news.kind];
  };

  test("is read with anything in place of any of its values", () => {
    const places = pathsOf(whole).filter((path) => path.length > 0);
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.jsonValue({ stringUnit: "binary" }), (path, value) => {
        look(replaced(whole, path, value) as Record<string, unknown>);
      }),
      { numRuns: 500 },
    );
  });

  test("and our own sample of it is about nobody", () => {
    expect(["ping", "recorded"]).toContain(read(sample(at), at).kind);
    expect(JSON.stringify(sample(at)).match(/[\w.-]+@[\w.-]+/g)).toEqual(["sample@rapport-test.example"]);
  });
});
