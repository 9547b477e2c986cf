-- What API keys and connected clients are kept from beside their scopes: read with them at each request.
ALTER TABLE "api_keys" ADD COLUMN "kinds" TEXT[] NOT NULL DEFAULT '{}', ADD COLUMN "hidden_fields" TEXT[] NOT NULL DEFAULT '{}';
ALTER TABLE "oauth_grants" ADD COLUMN "kinds" TEXT[] NOT NULL DEFAULT '{}', ADD COLUMN "hidden_fields" TEXT[] NOT NULL DEFAULT '{}';
