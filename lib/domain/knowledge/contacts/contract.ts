export { Account, Document, getAccount, Icp } from "./contract/account.ts";
export { ClaimView, Confidence, ConflictView, EpistemicClass, Freshness } from "./contract/claims.ts";
export { AccountFocus, Ambiguous, resolveFocus } from "./contract/focus.ts";
export { getConfidence, getHistory } from "./contract/history.ts";
export { addIdentifier, removeIdentifier } from "./contract/identifiers.ts";
export { getCompany, getPerson } from "./contract/records.ts";
export { Activity, exampleActivity, getTimeline } from "./contract/timeline.ts";
export { verifyClaim } from "./contract/verify.ts";
export { withdrawValue } from "./contract/withdraw.ts";
