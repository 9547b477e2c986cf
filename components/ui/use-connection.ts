import { useSyncExternalStore } from "react";
import { type Connection, connection, holding, onConnection } from "./connection.ts";

/** Separate from `connection.ts`, which code on the server also imports. */
export const useConnection = (): Connection => useSyncExternalStore(onConnection, connection, () => holding);
