/** Which connections to other machines go without TLS, as far as settings say it. */
import { type Addresses, plainSettings } from "#lib/settings/plain-settings.ts";
import { type Finding, fine, listed, warning } from "./finding.ts";

type Demand = { REQUIRE_TLS: "true" | "false" };

export function ofEncryption(env: Addresses & Demand): Finding {
  // `address` names it.
  const plain = plainSettings(env).filter(({ name }) => name !== "APP_URL");
  if (plain.length === 0)
    return fine(
      "encryption",
      `Every connection that is set to another machine is encrypted${env.REQUIRE_TLS === "true" ? ", and REQUIRE_TLS refuses others" : ""}.`,
    );
  return warning(
    "encryption",
    `Not encrypted, or not always: ${plain.map(({ name }) => name).join(", ")}. Who is between the machines can read passwords and data.`,
    "Postgres: sslmode=verify-full. Mail: smtps://, or ?requireTLS=true. Others: https://. In a network of your own it may stay; REQUIRE_TLS=true refuses it.",
  );
}

/** `plain`: the workspaces with triggers that send to an http:// address. */
export const ofTargets = (plain: readonly string[], { REQUIRE_TLS }: Demand): Finding =>
  plain.length === 0
    ? fine("trigger targets", "Every trigger sends to an https:// address.")
    : warning(
        "trigger targets",
        `Triggers ${REQUIRE_TLS === "true" ? "would send" : "send"} to addresses that are not encrypted${REQUIRE_TLS === "true" ? ", which REQUIRE_TLS stops" : ""}, in ${listed(plain, 5, " workspaces")}.`,
        "Change them to https:// on the page Triggers of the workspace: what is sent names people and what is known of them.",
      );
