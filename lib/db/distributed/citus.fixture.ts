import { database } from "#lib/testing/database.ts";
import { administer } from "#lib/testing/postgres.ts";

/**
 * Makes the test file's database look as one with Citus does to `distribute` and to migrations. Tables stay where they are; what
 * Citus refuses to spread is refused: a table with foreign keys, or with triggers that see all rows of a statement.
 */
export const pretendCitus = (): Promise<unknown> => administer(database.adminUrl, (client) => client.query(STAND_IN));

const STAND_IN = `SET allow_system_table_mods = on;
INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
  SELECT 99999, 'citus', oid, 'pg_catalog'::regnamespace, false, 'pretended' FROM pg_roles WHERE rolname = current_user;
CREATE TABLE pg_catalog.pg_dist_partition (logicalrelid regclass, partmethod "char", repmodel "char");
GRANT ALL ON pg_catalog.pg_dist_partition TO PUBLIC;
GRANT SET ON PARAMETER citus.propagate_set_commands TO PUBLIC;
CREATE FUNCTION public.relation_is_a_known_shard(regclass) RETURNS boolean LANGUAGE sql AS 'SELECT false';
CREATE FUNCTION public.citus_get_active_worker_nodes() RETURNS TABLE (node text) LANGUAGE sql AS $$ VALUES ('one'), ('two') $$;
CREATE FUNCTION public.create_reference_table(named text) RETURNS void LANGUAGE sql
  AS $$ INSERT INTO pg_dist_partition VALUES (named::regclass, 'n', 't') $$;
CREATE FUNCTION public.create_distributed_table(named text, by text, colocate_with text DEFAULT NULL, shard_count int DEFAULT NULL)
RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  IF EXISTS (SELECT FROM pg_constraint WHERE contype = 'f' AND named::regclass IN (conrelid, confrelid))
  THEN RAISE 'cannot distribute %: foreign key', named; END IF;
  IF EXISTS (SELECT FROM pg_trigger WHERE tgrelid = named::regclass AND (tgoldtable IS NOT NULL OR tgnewtable IS NOT NULL))
  THEN RAISE 'cannot distribute %: transition table', named; END IF;
  INSERT INTO pg_dist_partition VALUES (named::regclass, 'h', 's');
END $$`;
