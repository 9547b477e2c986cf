ALTER TABLE "inbound_deliveries" ADD COLUMN "title" TEXT;
