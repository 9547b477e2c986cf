import { inspect } from "./database.ts";

/** Gives the test's database a clock that `clockGoesBack` can change. Called before the app connects. */
export async function ownClock(): Promise<void> {
  await clockGoesBack(0);
  await inspect(
    "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database()); END $$",
  );
}

/** From now on the clock goes back by up to so many ms between two readings, as one that is set right or another server's may. */
export async function clockGoesBack(ms: number): Promise<void> {
  await inspect(
    `CREATE OR REPLACE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
     AS 'SELECT pg_catalog.clock_timestamp() - make_interval(secs => random() * ${ms / 1000})'`,
  );
}
