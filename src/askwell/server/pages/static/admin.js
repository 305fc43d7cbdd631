// The Settings page: sends what was changed, and nothing else; what is refused is told where it was typed.

const form = document.getElementById("settings");
const refused = document.getElementById("refused");
const done = document.getElementById("done");
const fields = [...form.querySelectorAll("[data-type]")];
const before = new Map(fields.map((field) => [field.name, field.value]));

function typed(field) {
  if (field.dataset.type === "bool") return field.value === "true";
  const number = Number(field.value);
  if (["int", "float"].includes(field.dataset.type) && field.value.trim() && Number.isFinite(number)) return number;
  return field.value;
}

async function send(changes) {
  refused.hidden = done.hidden = true;
  let response;
  try {
    response = await fetch("api/settings", {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ changes }),
    });
  } catch {
    return tell(refused, "The server cannot be reached. Is `askwell serve` still running?");
  }
  if (!response.ok) {
    const problem = await response.json().catch(() => ({}));
    const hint = problem.hint ? ` (${problem.hint})` : "";
    return tell(refused, `${problem.detail ?? `The server answered ${response.status}`}${hint}`);
  }
  const told = await response.json();
  for (const setting of told.settings) before.set(setting.name, String(setting.saved ?? setting.value));
  for (const field of fields) field.value = before.get(field.name) ?? field.value;
  const names = told.pending_restart;
  document.getElementById("waiting").hidden = !names.length;
  document.getElementById("waiting-names").textContent = names.join(", ");
  tell(done, "Saved. The server uses it after its next start.");
}

function tell(where, words) {
  where.textContent = words;
  where.hidden = false;
  where.scrollIntoView({ block: "nearest" });
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const changed = fields.filter((field) => field.value !== before.get(field.name));
  if (!changed.length) return tell(done, "Nothing was changed.");
  send(Object.fromEntries(changed.map((field) => [field.name, typed(field)])));
});

for (const button of form.querySelectorAll("[data-reset]")) {
  button.addEventListener("click", async () => {
    await send({ [button.dataset.reset]: null });
    if (refused.hidden) location.reload();
  });
}
