// Results under the box while somebody types: the newest question wins, the address keeps it.
const form = document.querySelector("form[data-results]");
const region = document.querySelector(form.dataset.results);
const WAIT = 120;
let timer = 0;
let asking = null;
let shown = new URLSearchParams(new FormData(form)).toString();

function asked() {
  const fields = new URLSearchParams(new FormData(form));
  for (const [name, value] of [...fields]) if (!value.trim()) fields.delete(name);
  return fields;
}

async function ask() {
  const fields = asked();
  const address = fields.toString();
  if (address === shown) return;
  shown = address;
  asking?.abort();
  asking = new AbortController();
  region.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(`${form.dataset.address}?${address}`, {
      signal: asking.signal,
      headers: { "X-Fragment": "1" },
    });
    if (answer.status === 401) return location.assign("/login");
    region.innerHTML = await answer.text();
    history.replaceState(null, "", address ? `/?${address}` : "/");
    region.setAttribute("aria-busy", "false");
  } catch (error) {
    if (error.name !== "AbortError") region.setAttribute("aria-busy", "false");
  }
}

form.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(ask, WAIT);
});
form.addEventListener("change", ask);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(timer);
  ask();
});
form.querySelector("input[type=search]").addEventListener("keydown", (event) => {
  if (event.key !== "ArrowDown") return;
  region.querySelector("[data-open]")?.focus();
  event.preventDefault();
});
