import { z } from "zod";
import { defineOperation } from "#lib/core/operation.ts";
import { pageSize } from "#lib/core/page-input.ts";
import { CUSTOM_NAME } from "#lib/domain/crm/recording/contract.ts";

const Subject = z.enum(["person", "company"]).meta({ id: "Subject", description: "Who has a property." });

const Property = z
  .strictObject({
    name: z.string().describe("As in `property.<name>`."),
    subject: Subject,
    standard: z.boolean().describe("A field of every record; false for a custom property."),
    type: z
      .enum(["text", "number", "boolean", "date", "list"])
      .describe("Of a custom property: what its values are; `text` when they differ."),
    records: z.int().describe("How many records have a value; see `capped`."),
    capped: z
      .boolean()
      .describe(
        "True when there are more than `records`: of a standard field the newest 10,000 records are looked at, of a custom property 10,000 values.",
      ),
    samples: z
      .array(z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
      .describe("Up to two different values; long texts are cut."),
  })
  .meta({ id: "Property", description: "A property that people or companies have and can be filtered by." });
export type Property = z.output<typeof Property>;

export const listProperties = defineOperation({
  name: "listProperties",
  tag: "People",
  summary: "List the properties that people and companies have",
  description:
    "Standard fields first, then custom properties by name, at most 200 of people and 200 of companies. Each can be used as `property.<name>` in the lists of people and companies.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/properties" },
  input: z.strictObject({ subject: Subject.optional().describe("Only those of people, or of companies.") }),
  output: z.strictObject({ properties: z.array(Property) }),
  tool: {
    name: "list_properties",
    description: "Which properties people and companies have here, standard and custom, with types and sample values.",
    parameters: ["subject"],
  },
  example: {
    input: { subject: "person" },
    output: {
      properties: [
        {
          name: "job_title",
          subject: "person",
          standard: true,
          type: "text",
          records: 1840,
          capped: false,
          samples: ["CEO", "VP Sales"],
        },
        {
          name: "region",
          subject: "person",
          standard: false,
          type: "text",
          records: 312,
          capped: false,
          samples: ["DACH", "EMEA"],
        },
      ],
    },
  },
});

export const listPropertyValues = defineOperation({
  name: "listPropertyValues",
  tag: "People",
  summary: "List the values that a property has",
  description:
    "The most frequent first, to filter by: `property.<name>=eq:<value>` finds them. At most 10,000 values are looked at, of fields such as `company` and `source` those of the newest active records. Fields that are times have none.",
  surface: "public",
  scope: "read",
  http: { method: "GET", path: "/v2/properties/:name/values" },
  input: z.strictObject({
    name: z.string().regex(CUSTOM_NAME, "is not a property name").describe("The field or custom property."),
    subject: Subject.default("person").describe("Whose property it is."),
    search: z.string().max(200).optional().describe("Only values that contain this; case and accents do not matter."),
    limit: pageSize(20, 100),
  }),
  output: z.strictObject({
    values: z.array(
      z
        .strictObject({
          value: z.union([z.string(), z.number(), z.boolean()]).describe("As one of the records has it."),
          records: z.int().describe("How many of the records that were looked at have it; see `capped`."),
        })
        .meta({ id: "PropertyValue", description: "A value of a property, of a list one of its items." }),
    ),
    capped: z.boolean().describe("True when there are more records than were looked at."),
  }),
  example: {
    input: { name: "region", subject: "person" },
    output: {
      values: [
        { value: "DACH", records: 212 },
        { value: "EMEA", records: 100 },
      ],
      capped: false,
    },
  },
});
