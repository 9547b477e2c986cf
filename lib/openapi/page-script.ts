/**
 * What /docs does in the browser. The theme is that of the app (next-themes keeps it under "theme"). The key lives in
 * this script's memory: one that a page of the app left in the session storage of this tab is taken out of it at once,
 * so a reload, a copy of the tab and the next page do not have it.
 */
export const script = `
const part = (id) => document.getElementById(id);
const root = document.documentElement;
const dark = matchMedia("(prefers-color-scheme: dark)");
const stored = (work) => { try { return work(); } catch { return null; } };

let theme = stored(() => localStorage.getItem("theme")) ?? "system";
if (theme !== "light" && theme !== "dark") theme = "system";
const isDark = () => theme === "dark" || (theme === "system" && dark.matches);
function showTheme() {
  if (theme === "system") delete root.dataset.theme; else root.dataset.theme = theme;
  document.body.classList.toggle("dark-mode", isDark());
  document.body.classList.toggle("light-mode", !isDark());
  part("theme").value = theme;
}
showTheme();
dark.addEventListener("change", showTheme);
part("theme").addEventListener("change", ({ target }) => {
  theme = target.value;
  stored(() => localStorage.setItem("theme", theme));
  showTheme();
});

let key = stored(() => sessionStorage.getItem("rapport:docs-key")) ?? "";
stored(() => sessionStorage.removeItem("rapport:docs-key"));
part("key").value = key;

const PLACE = "$RAPPORT_API_KEY";
const codes = [...document.querySelectorAll(".code code")].map((element) => ({ element, text: element.textContent }));
const masked = () => (key.length > 20 ? key.slice(0, 11) + "…" + key.slice(-4) : "…");
function showKey() {
  for (const { element, text } of codes) element.textContent = key ? text.replaceAll(PLACE, masked()) : text;
  part("forget").hidden = key === "";
}
showKey();

const configuration = () => ({
  url: "/openapi.json",
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  hideDarkModeToggle: true,
  forceDarkModeState: isDark() ? "dark" : "light",
  persistAuth: false,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  authentication: { preferredSecurityScheme: "apiKey", securitySchemes: { apiKey: { token: key } } },
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
});
const reference = Scalar.createApiReference("#reference", configuration());

function useKey(next) {
  if (next === key) return;
  key = next;
  showKey();
  reference.updateConfiguration(configuration());
}
part("key").addEventListener("change", ({ target }) => useKey(target.value.trim()));
part("key-form").addEventListener("submit", (event) => {
  event.preventDefault();
  useKey(part("key").value.trim());
});
part("forget").addEventListener("click", () => {
  part("key").value = "";
  useKey("");
  part("key").focus();
});

const tabs = [...document.querySelectorAll("[role=tab]")];
function choose(tab) {
  for (const each of tabs) {
    const chosen = each === tab;
    each.setAttribute("aria-selected", String(chosen));
    each.tabIndex = chosen ? 0 : -1;
    part(each.getAttribute("aria-controls")).hidden = !chosen;
  }
}
tabs.forEach((tab, place) => {
  tab.addEventListener("click", () => choose(tab));
  tab.addEventListener("keydown", ({ key: pressed }) => {
    const step = pressed === "ArrowRight" ? 1 : pressed === "ArrowLeft" ? -1 : 0;
    const next = tabs[(place + step + tabs.length) % tabs.length];
    if (step !== 0) { choose(next); next.focus(); }
  });
});

document.querySelectorAll("[data-copy]").forEach((button) =>
  button.addEventListener("click", async () => {
    const { text } = codes[Number(button.dataset.copy)];
    const whole = key ? text.replaceAll(PLACE, key) : text;
    const done = await navigator.clipboard.writeText(whole).then(() => true, () => false);
    button.firstChild.textContent = done ? "Copied" : "Select it by hand";
    setTimeout(() => { button.firstChild.textContent = "Copy"; }, 2000);
  }),
);
`;
