// Behaviour of every page: keyboard shortcuts, bulk selection, confirmations, warnings for unsaved forms.
const typing = (target) => target.closest?.("input, textarea, select, [contenteditable]");

function rows() {
  return [...document.querySelectorAll("[data-row]")];
}

function current() {
  return document.activeElement?.closest?.("[data-row]") ?? null;
}

function step(by) {
  const all = rows();
  if (!all.length) return;
  const at = all.indexOf(current());
  const next = all[Math.min(all.length - 1, Math.max(0, at + by))] ?? all[0];
  (next.querySelector("[data-open]") ?? next).focus();
  next.scrollIntoView({ block: "nearest" });
}

let leading = false;
function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  // The search page starts in its empty field; `?` there asks for the keys, as no question begins so.
  const wantsKeys = event.key === "?" && event.target.matches?.("input[type=search]") && !event.target.value;
  if (typing(event.target) && !wantsKeys) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const key = event.key;
  if (leading) {
    leading = false;
    document.querySelector(`[data-go="${CSS.escape(key)}"]`)?.click();
    return;
  }
  if (key === "g") leading = true;
  else if (key === "/") (document.querySelector("input[type=search]") ?? document.querySelector('[data-go="s"]')).focus();
  else if (key === "j") step(1);
  else if (key === "k") step(-1);
  else if (key === "x") current()?.querySelector("input[type=checkbox]")?.click();
  else if (key === "e") document.querySelector("[data-edit]")?.click();
  else if (key === "u") document.querySelector("[data-undo]")?.click();
  else if (key === "?") document.getElementById("keys")?.showModal();
  else return;
  event.preventDefault();
  if (key === "/" && !document.querySelector("input[type=search]")) location.assign("/");
}

function enableBulk(form) {
  const boxes = [...form.querySelectorAll('input[name="ids"]')];
  const all = form.querySelector("[data-all]");
  const label = form.querySelector("[data-count]");
  if (!all) return;
  const count = () => {
    const chosen = boxes.filter((box) => box.checked).length;
    all.checked = chosen > 0 && chosen === boxes.length;
    all.indeterminate = chosen > 0 && chosen < boxes.length;
    label.textContent = chosen ? `${chosen} selected` : "Select";
    form.classList.toggle("chosen", chosen > 0);
  };
  let last = null;
  form.addEventListener("click", (event) => {
    const box = event.target.closest('input[name="ids"]');
    if (!box) return;
    if (event.shiftKey && last) {
      const [from, to] = [boxes.indexOf(last), boxes.indexOf(box)].sort((a, b) => a - b);
      for (const between of boxes.slice(from, to)) between.checked = box.checked;
    }
    last = box;
  });
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
    count();
  });
  form.addEventListener("change", count);
  count();
}

function warnIfUnsaved(form) {
  let changed = false;
  form.addEventListener("input", () => { changed = true; });
  form.addEventListener("submit", () => { changed = false; });
  window.addEventListener("beforeunload", (event) => { if (changed) event.preventDefault(); });
}

async function loadDetails(details) {
  const place = details.querySelector("div");
  if (!details.open || place.childElementCount) return;
  const answer = await fetch(details.dataset.fill, { headers: { "X-Fragment": "1" } });
  place.innerHTML = await answer.text();
}

function suggest(input) {
  let timer = 0;
  input.addEventListener("input", () => {
    clearTimeout(timer);
    const query = input.value.trim();
    if (!query) return;
    timer = setTimeout(async () => {
      const answer = await fetch(`${input.dataset.choices}?q=${encodeURIComponent(query)}`, { headers: { "X-Fragment": "1" } });
      if (answer.ok) input.list.innerHTML = await answer.text();
    }, 150);
  });
}

document.addEventListener("toggle", (event) => {
  if (event.target.matches?.("details[data-fill]")) loadDetails(event.target);
}, { capture: true });
document.addEventListener("keydown", press);
document.addEventListener("submit", (event) => {
  const question = event.submitter?.dataset.confirm ?? event.target.dataset.confirm;
  if (question && !window.confirm(question)) event.preventDefault();
});
for (const form of document.querySelectorAll("form[data-bulk]")) enableBulk(form);
for (const input of document.querySelectorAll("input[data-choices]")) suggest(input);
for (const form of document.querySelectorAll("form[data-guard]")) warnIfUnsaved(form);
for (const form of document.querySelectorAll("form[data-live]")) {
  form.addEventListener("change", () => form.requestSubmit());
}
