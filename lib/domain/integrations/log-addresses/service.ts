export { deleteRefusalsFrom } from "./queries.ts";
export { getLogAddress, renewLogAddress } from "./service/address.ts";
