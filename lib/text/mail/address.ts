/** Who stands in a header: the address in its one form, and the name, where there is one. */
export type MailAddress = { address: string; name: string | null };
