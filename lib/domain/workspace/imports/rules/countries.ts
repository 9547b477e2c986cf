import { type CountryCode, isSupportedCountry } from "libphonenumber-js/max";
import { Fault } from "#lib/core/errors.ts";
import { vocabulary } from "#lib/domain/crm/scores/service.ts";

export type { CountryCode };

/** The country that a value names, in one of eight languages or by its letters; null when it is none. */
export function countryIn(text: string): CountryCode | null {
  const code = vocabulary.countryOf(text);
  return code !== null && isSupportedCountry(code) ? code : null;
}

/** Throws 400 for letters that are of no country. */
export function requireCountry(code: string): void {
  if (isSupportedCountry(code)) return;
  throw new Fault("invalid_parameter", { parameter: "phone_country" }, `phone_country: ${code} is no country.`);
}

/** The country of a website's last part: `acme.de` is of Germany; null for `.com` and others that are of none. */
export function countryOfWebsite(website: string | null): CountryCode | null {
  const host = website?.replace(/^[a-z]+:\/\//i, "").split(/[/?#:]/)[0] ?? "";
  const last = host.slice(host.lastIndexOf(".") + 1).toUpperCase();
  const code = last === "UK" ? "GB" : last;
  const isGeneric = ["IO", "AI", "CO", "ME", "TV", "CC", "FM", "SH", "GG", "LY"].includes(code);
  return host.includes(".") && !isGeneric && isSupportedCountry(code) ? code : null;
}
