-- A new company gets its number of people in the transaction that creates it, so a page needs room for a second version of
-- each of its rows. A version on the same page writes no index, and its place is used again by the next one.
ALTER TABLE "companies" SET (fillfactor = 50);
