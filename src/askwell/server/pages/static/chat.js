// The chat page. One question at a time: idle → thinking → streaming → done | abstained | failed | stopped → idle.
// However an answer ends, `settle` is what ends it, so the button always comes back.

import { events } from "./sse.js";

const QUIET = 120_000; // milliseconds without a word of the answer after which it is given up
const STAGES = [
  [0, "Looking through your documents"],
  [4_000, "Still reading"],
  [20_000, "Waiting for the model"],
];

const $ = (id) => document.getElementById(id);
const form = $("ask");
const page = form.dataset;
const field = $("question");
const send = $("send");
const stop = $("stop");
const turns = $("turns");

let asking = null; // {turn, controller, timer, text, state} while a question is being answered
let conversation = page.conversation;

// ---------------------------------------------------------------- asking

function ask(question, { again = null } = {}) {
  if (asking || !question.trim()) return;
  $("opening")?.remove();
  const turn = again ?? newTurn(question);
  reset(turn);
  asking = { turn, question, controller: new AbortController(), timers: [], text: "", why: "", body: body(question) };
  show("thinking");
  tell("Thinking");
  for (const [after, words] of STAGES) {
    asking.timers.push(setTimeout(() => (turn.querySelector(".stage").textContent = words), after));
  }
  guard();
  turn.scrollIntoView({ block: "start", behavior: calm() ? "auto" : "smooth" });
  run(asking);
}

async function run(mine) {
  try {
    const response = await fetch("api/ask", {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
      body: JSON.stringify(mine.body),
      signal: mine.controller.signal,
    });
    if (!response.ok) throw await refusal(response);
    for await (const { event, data } of events(response)) {
      if (asking !== mine) return;
      if (event === "delta") heard(mine, JSON.parse(data).text);
      else if (event === "done") return await finish(mine, data);
      else if (event === "error") {
        const fault = JSON.parse(data);
        throw new Fault(fault.message, fault.hint);
      }
    }
    throw new Fault("The answer broke off", "Ask again. If it happens again, look at the model server.");
  } catch (error) {
    if (asking === mine) failed(mine, error);
  }
}

function body(question) {
  const asked = { question };
  if ($("profile").value) asked.profile = $("profile").value;
  asked.include_personal = $("personal")?.checked ?? true;
  asked.allow_web = $("web")?.checked ?? false;
  if (conversation) asked.conversation = conversation;
  else if (page.keeps) asked.keep = true;
  return asked;
}

function heard(mine, text) {
  if (!mine.text) {
    show("streaming");
    tell("The answer is arriving");
  }
  guard();
  mine.text += text;
  draw(mine);
}

// Text is put in as text, never as markup; the whole is drawn once a frame, however small the pieces are.
function draw(mine) {
  if (mine.frame) return;
  mine.frame = requestAnimationFrame(() => {
    mine.frame = 0;
    if (asking !== mine) return;
    const near = atBottom();
    mine.turn.querySelector(".draft").textContent = mine.text;
    if (near) scrollTo({ top: document.body.scrollHeight });
  });
}

async function finish(mine, data) {
  const done = JSON.parse(data);
  const response = await fetch("fragments/outcome", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ question: mine.question, done }),
    signal: mine.controller.signal,
  });
  if (!response.ok) throw await refusal(response);
  const html = await response.text();
  if (asking !== mine) return;
  mine.turn.querySelector(".outcome").innerHTML = html; // rendered and cleaned by the server
  mine.turn.querySelector(".draft").textContent = "";
  const abstained = done.outcome === "abstention";
  settle(mine, abstained ? "abstained" : "done");
  tell(abstained ? "Nothing was found" : `The answer is complete, with ${plural(sources(mine.turn), "source")}`);
  remember(mine, done);
}

function failed(mine, error) {
  const stopped = mine.why === "stopped";
  const draft = mine.turn.querySelector(".draft");
  draft.textContent = mine.text;
  const fault = mine.turn.querySelector(".fault");
  fault.hidden = false;
  const [what, hint] = words(mine, error);
  fault.querySelector(".what").textContent = what;
  fault.querySelector(".hint").textContent = hint;
  settle(mine, stopped ? "stopped" : "failed");
  tell(what);
}

function words(mine, error) {
  if (mine.why === "stopped") return ["Stopped", mine.text ? "What arrived is not checked against your documents." : ""];
  if (mine.why === "quiet") {
    return ["No word for two minutes", "The model may be busy or gone. Ask again, or look at the model server."];
  }
  if (error instanceof Fault) return [error.message, error.hint];
  return ["The server cannot be reached", "Is `askwell serve` still running? Ask again when it is back."];
}

function settle(mine, state) {
  mine.timers.forEach(clearTimeout);
  clearTimeout(mine.guard);
  cancelAnimationFrame(mine.frame);
  mine.turn.dataset.state = state;
  asking = null;
  send.disabled = false;
  send.hidden = false;
  stop.hidden = true;
  if (document.activeElement === document.body || document.activeElement === stop) field.focus({ preventScroll: true });
}

function guard() {
  clearTimeout(asking.guard);
  asking.guard = setTimeout(() => end("quiet"), QUIET);
}

function end(why) {
  if (!asking) return;
  asking.why = why;
  asking.controller.abort();
}

class Fault extends Error {
  constructor(message, hint = "") {
    super(message);
    this.hint = hint;
  }
}

async function refusal(response) {
  if (response.status === 401) location.assign(`login?next=${encodeURIComponent("./")}`);
  try {
    const problem = await response.json();
    return new Fault(problem.detail || problem.title || `The server answered ${response.status}`, problem.hint || "");
  } catch {
    return new Fault(`The server answered ${response.status}`, "Ask again in a moment.");
  }
}

// ---------------------------------------------------------------- showing

function newTurn(question) {
  const turn = $("turn-template").content.firstElementChild.cloneNode(true);
  turn.querySelector(".asked").textContent = question;
  turn.dataset.question = question;
  turns.append(turn);
  return turn;
}

function reset(turn) {
  turn.querySelector(".draft").textContent = "";
  turn.querySelector(".outcome").textContent = "";
  turn.querySelector(".fault").hidden = true;
  turn.querySelector(".stage").textContent = STAGES[0][1];
}

function show(state) {
  asking.turn.dataset.state = state;
  send.hidden = true;
  stop.hidden = false;
}

const told = $("told");
const tell = (text) => (told.textContent = text);
const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const sources = (turn) => turn.querySelectorAll(".evidence .note:not(.nearest)").length;
const atBottom = () => innerHeight + scrollY >= document.body.scrollHeight - 120;

// A number and its note belong together: to point at one lights up the other.
function light(event, on) {
  const chip = event.target.closest?.(".chip, .note");
  const turn = chip?.closest(".turn");
  if (!chip?.dataset.n || !turn) return;
  for (const other of turn.querySelectorAll(`[data-n="${CSS.escape(chip.dataset.n)}"]`)) other.classList.toggle("lit", on);
}
for (const [name, on] of [["pointerover", true], ["focusin", true], ["pointerout", false], ["focusout", false]]) {
  turns.addEventListener(name, (event) => light(event, on));
}

// ---------------------------------------------------------------- conversations

function remember(mine, done) {
  const id = done.conversation?.id ?? done.conversation;
  if (!id) return;
  const list = $("conversations");
  if (!conversation) {
    conversation = id;
    history.replaceState(null, "", `./?c=${encodeURIComponent(id)}`);
    $("none-kept")?.remove();
    list.prepend(entry(id, mine.question));
  }
}

function entry(id, title) {
  const item = document.createElement("li");
  item.className = "here";
  const link = document.createElement("a");
  link.href = `./?c=${encodeURIComponent(id)}`;
  link.dir = "auto";
  link.setAttribute("aria-current", "true");
  link.textContent = title.length > 80 ? `${title.slice(0, 79)}…` : title;
  const button = document.createElement("button");
  button.type = "button";
  button.className = "quiet forget";
  button.dataset.id = id;
  button.setAttribute("aria-label", `Delete the conversation “${link.textContent}”`);
  button.innerHTML =
    '<svg viewBox="0 0 24 24" width="14" height="14" aria-hidden="true"><path class="stroke" d="M6 6l12 12M18 6L6 18"/></svg>';
  item.append(link, button);
  return item;
}

// Deleting asks once, in place: the first press arms the button, the second deletes.
$("conversations").addEventListener("click", async (event) => {
  const button = event.target.closest(".forget");
  if (!button) return;
  if (!button.classList.contains("armed")) {
    button.classList.add("armed");
    button.dataset.label = button.getAttribute("aria-label");
    button.setAttribute("aria-label", "Press again to delete");
    tell("Press again to delete the conversation");
    const disarm = () => {
      button.classList.remove("armed");
      button.setAttribute("aria-label", button.dataset.label);
    };
    button.addEventListener("blur", disarm, { once: true });
    return;
  }
  const response = await fetch(`api/conversations/${encodeURIComponent(button.dataset.id)}`, { method: "DELETE" }).catch(
    () => null,
  );
  if (!response || (!response.ok && response.status !== 404)) {
    tell("The conversation could not be deleted");
    return;
  }
  if (button.dataset.id === conversation) location.assign("./");
  const next = button.closest("li").nextElementSibling?.querySelector("a") ?? document.querySelector(".rail .new");
  button.closest("li").remove();
  next.focus();
  tell("Deleted");
});

// ---------------------------------------------------------------- the form

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const question = field.value;
  if (asking || !question.trim()) return;
  field.value = "";
  ask(question);
});

field.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    form.requestSubmit();
  }
});

stop.addEventListener("click", () => end("stopped"));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") end("stopped");
});

turns.addEventListener("click", (event) => {
  const retry = event.target.closest(".retry");
  if (retry) {
    const turn = retry.closest(".turn");
    ask(turn.dataset.question, { again: turn });
  }
});

document.addEventListener("click", (event) => {
  const suggestion = event.target.closest(".suggestion");
  if (suggestion) ask(suggestion.dataset.question);
});

const about = $("about");
const profile = $("profile");
const explain = () => (about.textContent = profile.selectedOptions[0]?.title ?? "");
profile.addEventListener("change", explain);
explain();

// ---------------------------------------------------------------- suggestions

async function suggest() {
  const list = $("suggestions");
  if (!list) return;
  const personal = $("personal")?.checked ?? true;
  try {
    const response = await fetch(`api/suggestions?include_personal=${personal}`);
    if (!response.ok) return;
    const { suggestions } = await response.json();
    for (const question of suggestions.slice(0, 4)) {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.className = "suggestion";
      button.dataset.question = question;
      const text = document.createElement("span");
      text.dir = "auto";
      text.textContent = question;
      button.append(text);
      item.append(button);
      list.append(item);
    }
  } catch {
    // without suggestions the page is as useful as before
  }
}
suggest();

// On a narrow page the conversations are folded away until they are wanted.
if (matchMedia("(max-width: 64rem)").matches) $("kept").open = false;
