import { useSyncExternalStore } from "react";
import { type Connection, connection, holding, onConnection } from "./connection.ts";

/** Apart from `connection.ts`, which also code uses that the server loads. */
export const useConnection = (): Connection => useSyncExternalStore(onConnection, connection, () => holding);
