// Live progress while the page is looked at, and files that are dropped onto it.
const region = document.querySelector("[data-live-from]");

if (region) {
  const events = new EventSource(region.dataset.liveFrom);
  // What somebody has chosen and not saved yet is not shown anew.
  region.addEventListener("input", () => events.close());
  events.addEventListener("message", (event) => {
    if (region.contains(document.activeElement) && document.activeElement !== document.body) return;
    region.innerHTML = event.data;
  });
  window.addEventListener("pagehide", () => events.close());
}

const drop = document.querySelector("[data-drop]");
if (drop) {
  const input = drop.querySelector("input[type=file]");
  const over = (on) => (event) => {
    event.preventDefault();
    drop.classList.toggle("over", on);
  };
  document.addEventListener("dragover", over(true));
  document.addEventListener("dragleave", over(false));
  document.addEventListener("drop", (event) => {
    over(false)(event);
    if (!event.dataTransfer.files.length) return;
    input.files = event.dataTransfer.files;
    drop.requestSubmit();
  });
}
