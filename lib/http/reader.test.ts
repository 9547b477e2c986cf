import { expect, test } from "vitest";
import { asReader, localeOf, pageReader } from "./reader.ts";

test.each([
  [undefined, "en"],
  ["", "en"],
  ["*", "en"],
  ["de", "de"],
  ["de-CH, de;q=0.9, en;q=0.8", "de-CH"],
  ["en-us;q=0.5", "en-US"],
  ["not a language", "en"],
  ["xx-YY", "en"],
])("of %j it is %s", (header, locale) => {
  expect(localeOf(header)).toBe(locale);
});

test("two pages that are rendered at once have their own reader", async () => {
  const rendered = (header: string) =>
    asReader(
      (name) => (name === "accept-language" ? header : undefined),
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 1));
        return pageReader.locale();
      },
    );
  expect(await Promise.all([rendered("de"), rendered("fr-CA"), rendered("de-AT")])).toEqual(["de", "fr-CA", "de-AT"]);
  expect(pageReader.locale()).toBeUndefined();
});

test.each([
  ["?1", true],
  ["?0", false],
  [undefined, false],
])("a browser that says %j of being mobile: %s", (said, hasPhone) => {
  asReader(
    (name) => (name === "sec-ch-ua-mobile" ? said : undefined),
    () => expect(pageReader.hasPhone()).toBe(hasPhone),
  );
  expect(pageReader.hasPhone()).toBeUndefined();
});
