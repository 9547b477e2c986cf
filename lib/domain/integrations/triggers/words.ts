/** What events are called where people read them, by their own names. */
const labels: Readonly<Record<string, string>> = {
  "stage.advanced": "Stage advanced",
  "contact.created": "Contact created",
  "icp.changed": "ICP score changed",
  "activity.email_sent": "E-mail sent",
  "activity.email_received": "E-mail received",
  "activity.email_opened": "E-mail opened",
  "activity.email_bounced": "E-mail bounced",
  "activity.call": "Call",
  "activity.meeting_scheduled": "Meeting scheduled",
  "activity.meeting_held": "Meeting held",
  "activity.website_visit": "Website visit",
  "activity.linkedin_message": "LinkedIn message",
  "activity.note": "Note of an activity",
  "activity.custom": "Custom activity",
  "activity.meeting_cancelled": "Meeting cancelled",
  "fact.recorded": "GTM fact recorded",
  "note.saved": "Note saved",
  "lead.replied": "Lead replied",
};

/** Other names under which an event can be asked for; it is then delivered under that name. */
export const eventAliases: Readonly<Record<string, string>> = {
  "interaction.email_received": "activity.email_received",
  "interaction.email_bounced": "activity.email_bounced",
  "interaction.linkedin_message_received": "activity.linkedin_message",
  "interaction.meeting_scheduled": "activity.meeting_scheduled",
  "interaction.meeting_held": "activity.meeting_held",
};

/** An event in words. One of another release has its name. */
export const eventLabel = (name: string): string => labels[eventAliases[name] ?? name] ?? name;
