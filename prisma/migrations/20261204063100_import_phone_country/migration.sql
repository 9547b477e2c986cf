-- The country of telephone numbers without a country code, in rows that name no country.
ALTER TABLE "imports" ADD COLUMN "phone_country" TEXT;
