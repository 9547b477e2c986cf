-- The members of a person's JSON that change without the rest of it: the end of what `wire` begins. The database makes it, so that no
-- writer can forget it (decision 0120). All of it is the same in every session: times are printed in UTC, by a pattern without names,
-- and the labels of a stage never change.
CREATE FUNCTION "rapport_person_end"("owner" text, "stage" pipeline_stage, "score" int, "active" timestamptz, "updated" timestamptz)
RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$ BEGIN
  RETURN ',"owner":' || coalesce(to_json(nullif("owner", ''))::text, 'null') || ',"pipeline_stage":"' || "stage"::text
    || '","icp_score":' || coalesce("score"::text, 'null')
    || ',"last_activity_at":' || coalesce('"' || to_char("active" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null')
    || ',"updated_at":"' || to_char("updated" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"}';
END $$;

-- The table is written again with its indexes, and locked until that is done.
ALTER TABLE "people" ADD COLUMN "wire_end" text
  GENERATED ALWAYS AS ("rapport_person_end"("owner", "pipeline_stage", "icp_score", "last_activity_at", "updated_at")) STORED;
