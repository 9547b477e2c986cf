-- Whether the person of a session has a second factor that Google or GitHub, where it began, did not ask for. Sessions that there are go on as they are.
ALTER TABLE "sessions" ADD COLUMN "asks_factor" BOOLEAN NOT NULL DEFAULT false;
