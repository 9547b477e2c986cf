/** The list of what the migrations make, which the doctor compares an installation with. */
import { expect, test } from "vitest";
import { database } from "#lib/testing/database.ts";
import { connected } from "./connected.ts";
import { objectsIn, readObjects, textOfObjects } from "./objects.ts";

test("prisma/objects.txt says what the migrations make; `-u` writes it", async () => {
  const objects = await connected({ connectionString: database.adminUrl }, readObjects);
  await expect(textOfObjects(objects)).toMatchFileSnapshot("../../prisma/objects.txt");
  expect(objectsIn(textOfObjects(objects))).toEqual(objects);
});
