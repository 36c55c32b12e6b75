// Shows results while somebody types; a newer query aborts an older one, and the address keeps it.
const form = document.querySelector("form[data-results]");
const region = document.querySelector(form.dataset.results);
const WAIT = 120;
let timer = 0;
let request = null;
let shown = new URLSearchParams(new FormData(form)).toString();

function filledFields() {
  const fields = new URLSearchParams(new FormData(form));
  for (const [name, value] of [...fields]) if (!value.trim()) fields.delete(name);
  return fields;
}

async function search() {
  const fields = filledFields();
  const address = fields.toString();
  if (address === shown) return;
  shown = address;
  request?.abort();
  request = new AbortController();
  region.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(`${form.dataset.address}?${address}`, {
      signal: request.signal,
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
  timer = setTimeout(search, WAIT);
});
form.addEventListener("change", search);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(timer);
  search();
});
form.querySelector("input[type=search]").addEventListener("keydown", (event) => {
  if (event.key !== "ArrowDown") return;
  region.querySelector("[data-open]")?.focus();
  event.preventDefault();
});
