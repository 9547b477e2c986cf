-- A role that reads all that is shared and writes nothing.
ALTER TYPE "role" ADD VALUE 'viewer' BEFORE 'member';
