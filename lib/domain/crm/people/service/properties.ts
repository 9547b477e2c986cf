import { together } from "#lib/core/together.ts";
import { type Ctx, implement } from "#lib/domain/implement.ts";
import * as contract from "../contract.ts";
import { findFieldFigures, findOwnProperties, MOST_COUNTED } from "../queries/properties.ts";
import { samplesOf, typeOf } from "../rules/properties.ts";
import { type Subject, standardFields } from "../rules/standard-fields.ts";

export const listProperties = implement(contract.listProperties, async (ctx, { subject }) => {
  const subjects: readonly Subject[] = subject ? [subject] : ["person", "company"];
  const lists = await together(subjects.map((each) => propertiesOf(ctx, each)));
  return { properties: lists.flat() };
});

async function propertiesOf(ctx: Ctx, subject: Subject): Promise<contract.Property[]> {
  const [figures, own] = await together([findFieldFigures(ctx.db, subject), findOwnProperties(ctx.db, subject)]);
  const all = figures[""]?.count ?? 0;
  const ofFields = standardFields[subject].map(({ name, type }): contract.Property => {
    const { count = 0, least = null, most = null } = figures[name] ?? {};
    const samples = samplesOf([least, most].filter((value) => value !== null));
    return { name, subject, standard: true, type, records: count, capped: all >= MOST_COUNTED, samples };
  });
  const custom = own.map(({ name, count, values }): contract.Property => {
    const counted = Math.min(count, MOST_COUNTED);
    const capped = count > MOST_COUNTED;
    return {
      name,
      subject,
      standard: false,
      type: typeOf(values),
      records: counted,
      capped,
      samples: samplesOf(values),
    };
  });
  return [...ofFields, ...custom];
}
