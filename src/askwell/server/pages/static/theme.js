// Dark or light: as the system has it until somebody chooses. Runs before anything is drawn, so that nothing flashes.
(() => {
  const root = document.documentElement;
  const read = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null; // storage may be switched off
    }
  };
  const write = (value) => {
    try {
      localStorage.setItem("theme", value);
    } catch {
      // the choice then holds for this page
    }
  };
  const chosen = read();
  if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen;
  const isDark = () =>
    root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const says = document.getElementById("theme-says");
    const tell = () => {
      says.textContent = isDark() ? "Light colours" : "Dark colours";
    };
    button.hidden = false;
    tell();
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      write(root.dataset.theme);
      tell();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", tell);
  });
})();
