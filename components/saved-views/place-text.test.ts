import { expect, test } from "vitest";
import { peopleAddress } from "#components/people/address.ts";
import { placeOfText, textOfPlace } from "./place-text.ts";

const text =
  "cols=email%2Cphone&company.industry=fintech&has_email=false&property.note=a%26b&property.region=DACH&search=a+%26+b&sort=created_desc";

test("a list's state survives being stored as text", () => {
  const place = placeOfText(peopleAddress, text);
  expect(place).toMatchObject({ has_email: false, search: "a & b", cols: ["email", "phone"], sort: "created_desc" });
  expect(textOfPlace(peopleAddress, place)).toBe(text);
  expect(placeOfText(peopleAddress, textOfPlace(peopleAddress, place))).toEqual(place);
});

test("a view that was saved before each field had a parameter says the same", () => {
  const before =
    "cols=email%2Cphone&company=industry%3Dfintech&has_email=false&property=note%3Da%26b%2Cregion%3DDACH&search=a+%26+b&sort=created_desc";
  expect(textOfPlace(peopleAddress, placeOfText(peopleAddress, before))).toBe(text);
});

test("the view itself, defaults and unset parts are not included", () => {
  const place = { ...placeOfText(peopleAddress, "sort=last_activity_desc"), view: "0190a6e0", search: "" };
  expect(textOfPlace(peopleAddress, { ...place, search: null })).toBe("");
});

test("parts that the list does not know are left out", () => {
  expect(textOfPlace(peopleAddress, placeOfText(peopleAddress, "pipeline_stage=nonsense&other=1&has_email=true"))).toBe(
    "has_email=true",
  );
  for (const kept of ["pipeline_stage=not%3Aclient", "pipeline_stage=aware%2Cclient"])
    expect(textOfPlace(peopleAddress, placeOfText(peopleAddress, kept))).toBe(kept);
  for (const lost of ["pipeline_stage=aware,nonsense", "pipeline_stage=not:", "pipeline_stage="])
    expect(textOfPlace(peopleAddress, placeOfText(peopleAddress, lost))).toBe("");
});
