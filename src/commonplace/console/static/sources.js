// Live progress, and uploading files by dropping them onto the page.
const region = document.querySelector("[data-live-from]");

if (region) {
  const events = new EventSource(region.dataset.liveFrom);
  // Stop updating once somebody edits a form, so that unsaved input is not replaced.
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
