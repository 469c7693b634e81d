// Before the first paint, so that nothing flashes; a file of its own, so that no script stands in the page.
(() => {
  let chosen = "system";
  try {
    chosen = localStorage.getItem("stepwell.theme") ?? "system";
  } catch {
    // A browser that keeps nothing: as the system has it.
  }
  const isDark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
})();
