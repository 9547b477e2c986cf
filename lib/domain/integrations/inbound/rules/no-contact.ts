/** What the log says of a delivery that found no contact. */
export const NO_INVITEE = "None of the invitees is a contact.";
export const NO_ATTENDEE = "None of the attendees is a contact.";

export const noContact: readonly string[] = [NO_INVITEE, NO_ATTENDEE];
