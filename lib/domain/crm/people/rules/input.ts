import { type CountryCode, parsePhoneNumberFromString } from "libphonenumber-js/max";
import { Fault } from "#lib/core/errors.ts";
import { CUSTOM_NAME, fieldAliases } from "#lib/domain/crm/recording/contract.ts";
import {
  companyDomain,
  type Identifier,
  normaliseEmail,
  normaliseLinkedinUrl,
} from "#lib/domain/records/entities/service.ts";
import { own } from "#lib/text/own.ts";

type Fields = Readonly<Record<string, unknown>>;

/** E.164; null when it is no phone number, or has no country code and none is given. */
export function phoneNumber(text: string, country: CountryCode | null = null): string | null {
  const phone = parsePhoneNumberFromString(text, country ?? undefined);
  return phone?.isPossible() ? phone.number : null;
}

/** E.164; throws 400 `invalid_phone`. */
export function phoneOf(text: string): string {
  const phone = phoneNumber(text);
  if (phone === null) throw new Fault("invalid_phone", { parameter: "phone" });
  return phone;
}

const normalisers = {
  email: { normalise: normaliseEmail, code: "invalid_email" },
  linkedin_url: { normalise: normaliseLinkedinUrl, code: "invalid_linkedin_url" },
  domain: { normalise: companyDomain, code: "invalid_domain" },
} as const;

/** The identifiers among the fields, normalised; throws 400 naming the one that is not valid for this type. */
export function identifiersIn(fields: Fields, type: "person" | "company"): Identifier[] {
  const kinds = type === "person" ? (["email", "linkedin_url"] as const) : (["domain", "linkedin_url"] as const);
  return kinds.flatMap((kind) => {
    const names = fields[kind];
    if (typeof names !== "string") return [];
    const { normalise, code } = normalisers[kind];
    const value = normalise(names);
    const path = type === "person" ? "/in/" : "/company/";
    if (value === null || (kind === "linkedin_url" && !value.includes(path)))
      throw new Fault(code, { parameter: kind });
    return [{ kind, value }];
  });
}

/** Custom properties among the fields; throws 400 `unknown_parameter` for a name that is not snake_case or is reserved. */
export function customIn(
  type: "person" | "company",
  fields: Fields,
  fieldNames: readonly string[],
  reserved: readonly string[],
): [string, unknown][] {
  return Object.entries(fields).filter(([name]) => {
    if (fieldNames.includes(name)) return false;
    const field = own(fieldAliases[type], name);
    if (field !== undefined)
      throw new Fault(
        "unknown_parameter",
        { parameter: name, supported: fieldNames },
        `${name} is called ${field} here.`,
      );
    if (!CUSTOM_NAME.test(name) || reserved.includes(name)) {
      throw new Fault(
        "unknown_parameter",
        { parameter: name, supported: fieldNames },
        `${name} is neither a field nor a snake_case custom property.`,
      );
    }
    return true;
  });
}
