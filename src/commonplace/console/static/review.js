// Review by keyboard: a accepts, r rejects, e edits; j and k move through the queue.
const form = document.querySelector("[data-decide]");

function nextId() {
  const rows = [...document.querySelectorAll("[data-row]")];
  const at = rows.findIndex((row) => row.hasAttribute("aria-current"));
  const next = rows[at + 1] ?? rows[at - 1];
  return next?.querySelector("input[name=ids]")?.value ?? "";
}

for (const one of document.querySelectorAll('form[action^="/review/"]')) {
  const field = Object.assign(document.createElement("input"), { type: "hidden", name: "following", value: nextId() });
  one.append(field);
}

function go(by) {
  const rows = [...document.querySelectorAll("[data-row]")];
  const at = rows.findIndex((row) => row.hasAttribute("aria-current"));
  rows[at + by]?.querySelector("[data-open]")?.click();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input:not([type=checkbox]), textarea, select")) return;
  if (event.key === "j" || event.key === "k") go(event.key === "j" ? 1 : -1);
  else if (event.key === "e") {
    const editing = document.querySelector("[data-edit-moment]");
    if (!editing) return;
    editing.open = true;
    editing.querySelector("input[name=title]").focus();
  } else {
    const button = form?.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
    if (!button) return;
    button.click();
  }
  event.preventDefault();
}, { capture: true });
