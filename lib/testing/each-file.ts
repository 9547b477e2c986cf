/** A setup file of every integration test: the test file gets a database of its own, which is dropped after it. */
import { afterAll } from "vitest";
import { createDatabase, dropDatabase } from "./database.ts";

await createDatabase();
afterAll(dropDatabase);
