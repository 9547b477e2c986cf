-- What lists show of companies and leads, as of people: text in the row, made by the database, so that no writer can forget it
-- (decision 0120). A company's text has two parts: what an activity changes is the second, so that the first is not made again.
CREATE FUNCTION "rapport_company_begin"("id" uuid, "domain" text, "name" text, "linkedin" text, "industry" text, "employees" int, "country" text, "source" text, "status" entity_status, "created" timestamptz, "custom" jsonb)
RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$ BEGIN
  RETURN '{"id":"' || "id"::text || '","entity_id":"' || "id"::text
    || '","domain":' || coalesce(to_json("domain")::text, 'null')
    || ',"name":' || coalesce(to_json("name")::text, 'null')
    || ',"linkedin_url":' || coalesce(to_json("linkedin")::text, 'null')
    || ',"industry":' || coalesce(to_json("industry")::text, 'null')
    || ',"employee_count":' || coalesce("employees"::text, 'null')
    || ',"country":' || coalesce(to_json("country")::text, 'null')
    || ',"source":' || to_json("source")::text
    || ',"status":"' || "status"::text
    || '","created_at":"' || to_char("created" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    || '","properties":' || "custom"::text;
END $$;
CREATE FUNCTION "rapport_company_end"("owner" text, "people" int, "score" int, "active" timestamptz, "updated" timestamptz)
RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$ BEGIN
  RETURN ',"owner":' || coalesce(to_json(nullif("owner", ''))::text, 'null') || ',"people_count":' || "people"::text
    || ',"icp_score":' || coalesce("score"::text, 'null')
    || ',"last_activity_at":' || coalesce('"' || to_char("active" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null')
    || ',"updated_at":"' || to_char("updated" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"}';
END $$;
CREATE FUNCTION "rapport_lead_row"("id" uuid, "list" uuid, "entity" uuid, "email" text, "name" text, "company" text, "linkedin" text, "status" lead_status, "sent" timestamptz, "replied" timestamptz, "outcome" reply_outcome, "score" float8, "fields" jsonb, "created" timestamptz, "updated" timestamptz)
RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$ BEGIN
  RETURN '{"id":"' || "id"::text || '","lead_list_id":"' || "list"::text || '","entity_id":"' || "entity"::text
    || '","email":' || coalesce(to_json("email")::text, 'null')
    || ',"name":' || coalesce(to_json("name")::text, 'null')
    || ',"company":' || coalesce(to_json("company")::text, 'null')
    || ',"linkedin_url":' || coalesce(to_json("linkedin")::text, 'null')
    || ',"status":"' || "status"::text
    || '","sent_at":' || coalesce('"' || to_char("sent" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null')
    || ',"replied_at":' || coalesce('"' || to_char("replied" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null')
    || ',"reply_outcome":' || coalesce('"' || "outcome"::text || '"', 'null')
    || ',"scorecard_score":' || coalesce("score"::text, 'null')
    || ',"fields":' || "fields"::text
    || ',"created_at":"' || to_char("created" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    || '","updated_at":"' || to_char("updated" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"}';
END $$;

-- The tables are written again with their indexes, and locked until that is done.
ALTER TABLE "companies"
  ADD COLUMN "wire" text GENERATED ALWAYS AS ("rapport_company_begin"("id", "domain", "name", "linkedin_url", "industry", "employee_count", "country", "source", "status", "created_at", "custom")) STORED,
  ADD COLUMN "wire_end" text GENERATED ALWAYS AS ("rapport_company_end"("owner", "people_count", "icp_score", "last_activity_at", "updated_at")) STORED;
ALTER TABLE "leads"
  ADD COLUMN "wire" text GENERATED ALWAYS AS ("rapport_lead_row"("id", "list_id", "entity_id", "email", "name", "company", "linkedin_url", "status", "sent_at", "replied_at", "reply_outcome", "score", "fields", "created_at", "updated_at")) STORED;
