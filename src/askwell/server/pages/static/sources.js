// An index run from the Sources page: start it, show how far it is, show the page anew when it has ended.

const $ = (id) => document.getElementById(id);
const start = $("start");
const bar = $("progress");
const says = $("run-says");

const PHASES = { read: "reading files", text: "making them searchable", vectors: "embedding", embed: "embedding" };

async function look() {
  const response = await fetch("api/index");
  if (!response.ok) throw new Error(String(response.status));
  return response.json();
}

async function follow() {
  start.disabled = true;
  bar.hidden = false;
  let misses = 0;
  for (;;) {
    try {
      const run = await look();
      misses = 0;
      if (!run.running) return ended(run);
      if (run.total) {
        bar.max = run.total;
        bar.value = run.done;
      } else {
        bar.removeAttribute("value");
      }
      const words = PHASES[run.phase] ?? run.phase;
      const told = words ? `${words}` : "starting";
      if (says.dataset.told !== told) says.textContent = says.dataset.told = told; // announced once a phase
      bar.title = run.total ? `${run.done} of ${run.total}` : "";
    } catch {
      misses += 1;
      if (misses > 10) {
        says.textContent = "The server cannot be reached. Is `askwell serve` still running?";
        start.disabled = false;
        bar.hidden = true;
        return;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 700));
  }
}

function ended(run) {
  bar.hidden = true;
  start.disabled = false;
  if (run.error) says.textContent = `${run.error}${run.hint ? `: ${run.hint}` : ""}`;
  else location.reload();
}

start?.addEventListener("click", async () => {
  start.disabled = true;
  says.textContent = "starting";
  try {
    const response = await fetch("api/index", { method: "POST" });
    if (!response.ok && response.status !== 409) {
      const problem = await response.json().catch(() => ({}));
      says.textContent = problem.detail ?? `The server answered ${response.status}`;
      start.disabled = false;
      return;
    }
    follow();
  } catch {
    says.textContent = "The server cannot be reached. Is `askwell serve` still running?";
    start.disabled = false;
  }
});

if ($("run")?.dataset.running) follow();
