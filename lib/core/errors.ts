/**
 * The one table of error codes. REST answers, MCP tool errors, CLI messages and the OpenAPI responses all read it.
 * A message is one plain sentence that tells the caller how to fix the request.
 */
const table = {
  invalid_request: [400, "The request is not valid HTTP."],
  invalid_encoding: [400, "The body is not in the encoding that Content-Encoding names."],
  invalid_json: [400, "The request body is not a JSON object."],
  invalid_parameter: [400, "A parameter has a value that is not accepted."],
  unknown_parameter: [400, "A parameter is not part of this endpoint."],
  invalid_idempotency_key: [400, "Idempotency-Key must be 1 to 255 visible ASCII characters."],
  section_and_content_required: [400, "Both section and content are required and must not be blank."],
  invalid_section: [400, "section is not one of the writable sections."],
  invalid_mode: [400, "mode must be replace or append."],
  focus_and_observations_required: [400, "focus and a non-empty observations array are required."],
  invalid_focus: [
    400,
    "focus must be an entity id, an e-mail address, a LinkedIn URL or a domain; a bare name is not accepted.",
  ],
  invalid_identifier: [400, "identifier must be an e-mail address or a LinkedIn URL."],
  focus_required: [400, "focus is required and must not be blank."],
  invalid_intent: [400, "intent is not one of the known intents."],
  invalid_observation: [400, "One of the observations is not valid; nothing was written."],
  focus_and_content_required: [400, "Both focus and content are required and must not be blank."],
  question_required: [400, "question is required and must not be blank."],
  invalid_type: [400, "type is not one of the types."],
  contact_id_or_email_required: [400, "Say who it happened with: contact_id or email."],
  type_required: [400, "type is required: say what happened."],
  invalid_contact_id: [400, "contact_id is not a UUID."],
  invalid_occurred_at: [400, "occurred_at is not an ISO 8601 time with an offset, or a date."],
  invalid_metadata: [400, "metadata must be a JSON object of at most 32 KiB."],
  invalid_date: [400, "date is not a date this endpoint understands."],
  title_required: [400, "title is required and must not be blank."],
  name_required: [400, "name is required and must not be blank."],
  identifier_required: [
    400,
    "Give at least one identifier: email or linkedin_url for a person, domain or linkedin_url for a company.",
  ],
  invalid_linkedin_url: [400, "linkedin_url is not a LinkedIn profile or company address."],
  invalid_domain: [400, "domain is not a company's domain."],
  invalid_phone: [400, "phone is not a phone number with its country code, such as +4930123456."],
  invalid_property: [400, "A custom property has a name or value that is not accepted."],
  invalid_email: [400, "email is not a valid e-mail address."],
  password_too_short: [400, "The password must be at least 12 characters long."],
  password_too_long: [400, "The password must be at most 200 characters long."],
  password_too_common: [
    400,
    "The password is too easy to guess: it is well known, or made of well-known words, your name, address or workspace. Use a few words that have nothing to do with you.",
  ],
  confirmation_mismatch: [400, "The typed confirmation does not match."],
  invalid_website: [400, "website must be a domain or an http(s) URL, such as acme.com."],
  reset_link_invalid: [400, "The link has expired or was used; ask for a new one."],
  wrong_password: [400, "The current password is not right."],
  wrong_code: [
    400,
    "The code is not right, or was used: wait for the next one of your app, or use another recovery code.",
  ],
  wrong_passkey: [
    400,
    "The passkey was not accepted: it is none of this account's, or it was asked for too long ago. Try again.",
  ],
  provider_and_credentials_required: [400, "Both provider and credentials are required."],
  mail_server_required: [
    400,
    "The mail server of this address was not found: give server with its host, and its port if it is not 993.",
  ],
  calendar_login_required: [400, "Give server, user and password, or the private address of a calendar."],
  provider_required: [400, "provider is required: name the CRM."],
  crm_not_connected: [400, "provider is not a CRM that this workspace is connected to; connect it first."],
  invalid_credentials: [400, "The provider does not accept these credentials."],
  invalid_place: [400, "place holds a parameter that the list does not have."],
  workspace_id_required: [400, "Name the workspace in the path, or as workspace_id in the query."],
  invalid_directory_filter: [400, "filter is not a filter of SCIM (RFC 7644, 3.4.2.2)."],
  invalid_directory_patch: [400, "Operations is not a patch of SCIM (RFC 7644, 3.5.2)."],
  invalid_cidr: [400, "allowed_cidrs holds a value that is not an IPv4 or IPv6 range."],
  authorization_invalid: [400, "The request of the app that sent you here is not valid; start again there."],
  invalid_logout_token: [
    400,
    "logout_token is not one that a sign-in provider of this server has made for it just now.",
  ],
  invalid_redirect_uri: [
    400,
    "A redirect URI must be https, http to this computer (localhost, 127.0.0.1 or [::1], any port), or an app's own scheme with a dot in it (com.example.app:/callback), without a fragment.",
  ],
  invalid_client_metadata: [400, "The description of the client is not one this server accepts."],
  invalid_grant: [
    400,
    "The code or refresh token is not valid: it has expired, was used, was revoked, or is another client's.",
  ],
  file_required: [400, "Send a CSV file, or its text as content."],
  invalid_file: [400, "The file is not one that can be imported; nothing was kept of it."],
  invalid_mapping: [400, "The mapping of columns is not one this file can be imported with."],
  unauthorized_client: [400, "The client did not register for this kind of grant."],
  unsupported_grant_type: [400, "grant_type must be authorization_code or refresh_token."],
  unsupported_response_type: [400, "response_type must be code."],
  no_gtm_context: [
    400,
    "There is nothing to build a scoring model from. Write the section ICP of the GTM profile first, or send signals.",
  ],
  invalid_scope: [400, "scope holds something other than read, write and admin, or more than was approved."],
  invalid_target: [400, "resource must be the address of this server's MCP endpoint."],
  invalid_client: [401, "There is no client with this client_id, or its secret is not right."],
  url_and_events_required: [400, "Both url and events are required, and events must name at least one event."],
  invalid_url: [400, "url must be an http or https URL of the public internet, without a user or password."],
  unknown_event: [400, "events holds a name that is no event; available_events lists them."],
  since_required: [400, "since is required: say from when on everything is sent again."],
  unauthorized: [401, 'Send a valid API key as "Authorization: Bearer <key>".'],
  session_required: [401, "Sign in to continue."],
  code_required: [401, "Send the code of your second factor too."],
  signature_missing: [401, "The request carries no signature."],
  invalid_signature: [401, "The signature does not match the body and the signing secret."],
  timestamp_out_of_tolerance: [401, "The signed time is more than 5 minutes away from the server's clock."],
  signing_secret_not_configured: [401, "No signing secret is configured for this provider and workspace."],
  feature_not_in_plan: [402, "This feature is not part of the workspace's plan."],
  insufficient_scope: [403, "The credential does not have the scope this operation needs."],
  beyond_limits: [403, "The API key or client is limited, and this is beyond what it may reach."],
  recent_sign_in_required: [
    403,
    "You signed in more than 15 minutes ago: confirm with your password, a passkey or a code that it is you, then send this again.",
  ],
  second_factor_required: [
    403,
    "A second factor is required. Open the workspace in the browser again to set one up or to confirm with yours.",
  ],
  oidc_required: [
    403,
    "This workspace requires a sign-in with this server's OIDC provider. Open it in the browser again to sign in there.",
  ],
  ip_not_allowed: [403, "This API key may not be used from this address."],
  origin_not_allowed: [403, "The request did not come from this site."],
  host_not_allowed: [403, "The Host header names another server. Set APP_URL to the address people and agents use."],
  member_required: [
    403,
    "Only a member has mail and calendars of their own: sign in, or use a client that you connected. An API key belongs to the workspace.",
  ],
  role_required: [403, "Your role in this workspace does not allow this."],
  email_not_allowed: [
    403,
    "This provider may not sign in people with this e-mail address: its domain is not one of the provider's on this server.",
  ],
  account_disabled: [403, "The person who runs this server has disabled your account."],
  new_password_required: [401, "Choose a new password: the one you have was made up for you."],
  signups_closed: [403, "Sign-up is by invitation on this server."],
  not_found: [404, "There is nothing at this address."],
  contact_not_found: [404, "No contact of this workspace has that id."],
  person_erased: [404, "This person was erased and is not created again."],
  entity_not_found: [404, "Nothing in this workspace has that id, e-mail address, LinkedIn URL, domain or name."],
  claim_not_found: [404, "Nothing was ever recorded about that property of this entity."],
  observation_not_found: [404, "No value that a person gave on this record has that id."],
  activity_not_found: [404, "No activity of this workspace has that id."],
  identifier_not_found: [404, "The record does not have that identifier."],
  fact_not_found: [404, "No fact of this workspace has that id."],
  note_not_found: [404, "No note of this workspace has that id."],
  lead_list_not_found: [404, "No lead list of this workspace has that id."],
  lead_not_found: [404, "No lead of this workspace has that id."],
  task_not_found: [404, "No task of this workspace has that id."],
  view_not_found: [404, "There is no saved view with that id."],
  api_key_not_found: [404, "No API key of this workspace has that id."],
  connected_client_not_found: [404, "No connected client of this workspace has that id."],
  member_not_found: [404, "No member of this workspace has that id."],
  directory_user_not_found: [404, "The directory of this workspace has no user with that id."],
  directory_group_not_found: [404, "The directory of this workspace has no group with that id."],
  invitation_not_found: [404, "The invitation does not exist, was withdrawn, was used or has expired."],
  workspace_not_found: [404, "No workspace has that id."],
  session_not_found: [404, "You have no session with that id."],
  login_not_found: [404, "There is no login with that code: it was mistyped, or it is too old. Start it again."],
  passkey_not_found: [404, "You have no passkey with that id."],
  merge_not_found: [404, "No merge of this workspace has that id."],
  unknown_provider: [404, "There is no provider of that name."],
  job_not_found: [404, "No job of this workspace that can be retried has that id."],
  delivery_not_found: [404, "No delivery of this workspace has that id, or its retention has ended."],
  trigger_not_found: [404, "No trigger of this workspace has that id."],
  approval_not_found: [404, "There is no such request for approval, or another key made it."],
  approval_rule_not_found: [404, "No rule of this workspace has that id; it may have been removed already."],
  export_not_found: [404, "No export of this workspace has that id."],
  bulk_action_not_found: [404, "No bulk action of this workspace has that id."],
  import_not_found: [404, "No import of this workspace has that id."],
  backfill_not_found: [404, "No backfill of this workspace has that id."],
  crm_run_not_found: [404, "No run of a CRM sync in this workspace has that id."],
  mailbox_not_found: [404, "You have no mailbox with that id."],
  calendar_not_found: [404, "You have no connected calendar with that id."],
  meeting_not_found: [404, "There is no meeting with that id that you may see."],
  thread_not_found: [404, "There is no conversation with that id that you may see."],
  not_connected: [404, "This provider is not connected to the workspace."],
  user_not_found: [404, "No user has that e-mail address."],
  method_not_allowed: [405, "This address does not answer that method."],
  model_exists: [
    409,
    "There is a scoring model already. Send force: true to replace it; the old one stays in the history.",
  ],
  fact_already_superseded: [409, "The fact is already history; supersede the current one instead."],
  only_value: [409, "There was no value before this one; mark it as wrong instead."],
  activity_superseded: [409, "The activity was corrected since; use current_id."],
  activity_removed: [409, "The activity was removed; restore it first."],
  note_already_superseded: [409, "The note was corrected already; supersede the current one instead."],
  fact_changed: [409, "Someone changed this entry since you opened it."],
  lead_exists: [409, "This person is in the list already."],
  view_name_taken: [409, "There is a view of this list with that name already."],
  too_many_views: [409, "A list keeps at most 100 shared views, and 100 of each person; delete one first."],
  too_many_triggers: [409, "A workspace keeps at most 100 triggers; delete one first."],
  api_key_revoked: [409, "The API key is already revoked."],
  last_owner: [409, "A workspace keeps at least one owner."],
  locks_out: [409, "You would lock yourself out: sign in that way yourself first."],
  second_factor_demanded: [
    409,
    "One of your workspaces requires a second factor. Set up another before you remove your last.",
  ],
  second_factor_exists: [409, "You have a second factor already; remove it before you set up another."],
  second_factor_missing: [409, "You have no second factor; set one up first."],
  directory_user_exists: [409, "The directory of this workspace has a user with this name or address already."],
  directory_user_elsewhere: [
    409,
    "This person has an account on this server and is no member of the workspace: invite them under Settings › Members, and send this again once they have joined.",
  ],
  signed_in_elsewhere: [
    409,
    "You did not come from this provider. Sign in with it, then send this again: only who comes from it may let its groups bring members.",
  ],
  directory_group_exists: [409, "The directory of this workspace has a group with this name already."],
  passkey_exists: [409, "This passkey is there already."],
  too_many_passkeys: [409, "An account keeps at most 20 passkeys; remove one first."],
  passkeys_not_possible: [
    409,
    "Browsers take passkeys only at a domain over https, or at localhost: set APP_URL to such an address.",
  ],
  log_address_unavailable: [409, "This server has no mailbox for copies of mail. Its operator sets LOG_MAILBOX_URL."],
  mailbox_connected: [409, "You have connected this mailbox already."],
  calendar_connected: [409, "You have connected this calendar already."],
  already_member: [409, "That person is already a member of this workspace."],
  email_taken: [409, "An account with this e-mail address exists already; sign in instead."],
  cannot_merge: [409, "These two records cannot be merged: they are the same record, or not of the same type."],
  merge_already_undone: [409, "This merge was undone already."],
  merge_not_latest: [409, "The kept record was itself merged into another since; undo that merge first."],
  approval_decided: [409, "This change waits no longer: it was decided, it expired or its key was revoked."],
  too_many_approvals: [
    409,
    "Too many changes of this key wait for approval; ask a person to approve or reject some of them first.",
  ],
  export_not_ready: [409, "The file is not complete yet; ask for the export until its state is done."],
  too_many_exports: [409, "There are as many exports as are kept at a time; delete one, or wait until one expires."],
  bulk_action_not_possible: [409, "The bulk action is not in a state in which this can be done."],
  too_many_bulk_actions: [
    409,
    "20 bulk actions of this workspace wait to be done; wait for some of them, or cancel some.",
  ],
  import_not_possible: [409, "The import is not in a state in which this can be done."],
  too_many_imports: [409, "20 files of this workspace wait to be imported; import or cancel some of them first."],
  backfill_running: [409, "A backfill of everyone is under way already."],
  crm_sync_running: [409, "A sync with this CRM is under way already."],
  identifier_conflict: [409, "That identifier belongs to another entity."],
  login_decided: [409, "That login was approved or denied already, or its ten minutes are over; start it again."],
  idempotency_key_reused: [409, "This Idempotency-Key was used with another request, or by another caller."],
  idempotency_key_in_use: [409, "A request with this Idempotency-Key is still running."],
  export_expired: [410, "The file was removed; make the export again."],
  request_timeout: [408, "The request did not come whole in time."],
  payload_too_large: [413, "The request body is larger than this endpoint accepts."],
  unsupported_media_type: [415, "Send the body as application/json in UTF-8."],
  headers_too_large: [431, "The headers of the request are larger than 16 KiB."],
  range_not_satisfiable: [416, "The range begins behind the end of the file."],
  rate_limited: [429, "Too many requests; wait for the time in Retry-After."],
  slow_down: [
    429,
    "You ask too often: wait for the time in Retry-After, and from now on `interval` seconds each time.",
  ],
  provider_unavailable: [502, "The provider could not be asked, so nothing was changed; try again in a moment."],
  test_not_received: [502, "The signed test did not arrive through this server's own address."],
  internal_error: [500, "Something went wrong on our side; quote the request id when you report it."],
  changes_not_available: [
    501,
    "The feed of changes needs all tenants on one database machine, and this installation has several.",
  ],
  not_ready: [
    503,
    "The service is starting, stopping or cannot reach its database; send the request again after the time in Retry-After.",
  ],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof table;

/** HTTP status of a code. */
export const statusOf = (code: ErrorCode): number => table[code][0];

/** Default sentence of a code. */
export const messageOf = (code: ErrorCode): string => table[code][1];

export const errorCodes = Object.keys(table) as ErrorCode[];

const brand = Symbol.for("rapport.fault");

/** An error that the caller can act on. Thrown once in a service or transport, mapped to a response once. */
export class Fault extends Error {
  readonly code: ErrorCode;
  readonly extras: Record<string, unknown>;
  readonly [brand] = true;

  constructor(code: ErrorCode, extras: Record<string, unknown> = {}, message: string = messageOf(code)) {
    super(message);
    this.name = "Fault";
    this.code = code;
    this.extras = extras;
  }

  get status(): number {
    return statusOf(this.code);
  }
}

/** Works across module copies: pages and the front may each have their own `Fault` class. */
export const isFault = (error: unknown): error is Fault =>
  typeof error === "object" && error !== null && (error as { [brand]?: true })[brand] === true;

/** What a caller can mend; any other error is ours. */
export const isRefusal = (error: unknown): error is Fault => isFault(error) && error.status < 500;

/** Null when it is refused. */
export const unlessRefused = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (isRefusal(error)) return null;
    throw error;
  });

/** The wire form of a fault. */
export function errorBody(fault: Fault, requestId: string) {
  return { error: fault.code, message: fault.message, request_id: requestId, ...fault.extras };
}
