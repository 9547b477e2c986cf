import { type Authenticate, byApiKey } from "#lib/http/answer.ts";

/** Who calls `/mcp`: an API key, which acts as an agent here. */
export const byBearer: Authenticate = async (exchange, requestId, client) => {
  const found = await byApiKey(exchange, requestId, client);
  const { caller } = found;
  return { ...found, caller: { ...caller, actor: { type: "mcp", id: caller.actor.id } } };
};
