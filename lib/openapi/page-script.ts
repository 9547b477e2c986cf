/**
 * What /docs does in the browser, after the script of the theme. The key lives in this script's memory: one that a page of the app left in the session storage of this tab is taken out of it at once,
 * so a reload, a copy of the tab and the next page do not have it.
 */
export const script = `
const part = (id) => document.getElementById(id);

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

/** Operations that have every word of the search somewhere in their path, name, summary or tag. */
function found(tags, search) {
  const words = search.toLowerCase().split(" ").filter(Boolean);
  const about = (one, tag) =>
    [one.get("method"), one.get("path"), tag, one.getIn(["operation", "operationId"]), one.getIn(["operation", "summary"])]
      .join(" ").toLowerCase();
  return tags
    .map((group, tag) =>
      group.update("operations", (all) => all.filter((one) => words.every((word) => about(one, tag).includes(word)))))
    .filter((group) => group.get("operations").size > 0);
}

const absent = () => () => null;
const ours = () => ({
  fn: { opsFilter: found },
  wrapComponents: {
    // The key is given once, above.
    authorizeBtn: absent,
    authorizeOperationBtn: absent,
    // It is inside a button, which may have no link in it.
    OperationSummaryPath: (_, { React }) => ({ operationProps }) =>
      React.createElement("span", { className: "opblock-summary-path" }, operationProps.get("path")),
    FilterContainer: (_, { React, layoutActions, layoutSelectors, specSelectors }) => () => {
      const matching = specSelectors.taggedOperations().reduce((sum, group) => sum + group.get("operations").size, 0);
      const input = React.createElement("input", {
        type: "search",
        autoComplete: "off",
        spellCheck: false,
        placeholder: "Words of its path, name or summary",
        defaultValue: layoutSelectors.currentFilter() || "",
        onChange: ({ target }) => layoutActions.updateFilter(target.value.trim()),
      });
      const count = ["No operation has all of these words.", "1 operation"][matching] ?? matching + " operations";
      return React.createElement(
        "div",
        { className: "find" },
        React.createElement("label", null, "Find an operation", input),
        React.createElement("span", { role: "status" }, count),
      );
    },
  },
  statePlugins: {
    spec: {
      wrapActions: {
        // These have no references; to look for some, Swagger UI would read the whole description when the page opens.
        requestResolvedSubtree: (original) => (path) =>
          path.join() === "components,securitySchemes" ? undefined : original(path),
      },
    },
    layout: {
      // Our header covers the first pixels of the window, which Swagger UI's own scrolling does not know.
      wrapActions: { scrollToElement: () => (element) => element.scrollIntoView() },
      wrapSelectors: {
        // What was found is seen at once.
        isShown: (original) => (state, thing, standard) =>
          original(thing, thing[0] === "operations-tag" && state.get("filter") ? true : standard),
      },
    },
  },
});

const reference = SwaggerUIBundle({
  dom_id: "#reference",
  url: "/openapi.json",
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  syntaxHighlight: { activated: false },
  validatorUrl: null,
  plugins: [ours],
  // Answers are those that a program with this key gets: the reader's own session stays out of it.
  requestInterceptor: (request) => Object.assign(request, { credentials: "omit", curlOptions: [] }),
  responseInterceptor: (answer) => {
    if (new URL(answer.url, location.href).pathname === "/openapi.json") answer.text = unfilled(answer.text);
    return answer;
  },
  onComplete: authorize,
});

/** Without examples of parameters that may be left out, also made up ones: a list would be filtered by them. */
function unfilled(text) {
  const described = JSON.parse(text);
  for (const path of Object.values(described.paths))
    for (const { parameters = [] } of Object.values(path))
      for (const parameter of parameters.filter(({ required }) => !required)) {
        delete parameter.examples;
        if (parameter.schema?.type === "object") parameter.example = {};
      }
  return JSON.stringify(described);
}

/** Names the fields that Swagger UI leaves without one, lets the keyboard scroll its code, and keeps its headings in order. */
function complete() {
  const unnamed = document.querySelectorAll("#reference :is(input,select,textarea):not([aria-label])");
  for (const field of unnamed) {
    if (field.labels.length > 0) continue;
    const parameter = field.closest("[data-param-name]")?.dataset.paramName;
    const other = field.matches("textarea") ? "Request body" : field.closest(".examples-select") ? "Example" : "Media type";
    field.setAttribute("aria-label", parameter ?? other);
  }
  for (const title of document.querySelectorAll("#reference .info .title:not([aria-level])")) title.ariaLevel = "2";
  for (const code of document.querySelectorAll("#reference pre.microlight:not([tabindex])")) code.tabIndex = 0;
}
new MutationObserver(complete).observe(part("reference"), { childList: true, subtree: true });

function authorize() {
  if (key) reference.preauthorizeApiKey("apiKey", key);
  else if (reference.authSelectors.authorized().size > 0) reference.authActions.logout(["apiKey"]);
}

function useKey(next) {
  if (next === key) return;
  key = next;
  showKey();
  authorize();
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
