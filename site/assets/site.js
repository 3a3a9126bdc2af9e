// What every page does: answers that open on demand, formulas and diagrams from our own copies.
(() => {
  const base = document.currentScript.src.replace(/site\.js.*$/, "");

  function load(file) {
    return new Promise((done, failed) => {
      const script = document.createElement("script");
      script.src = base + file;
      script.onload = done;
      script.onerror = failed;
      document.head.append(script);
    });
  }

  function open(button, wanted) {
    button.setAttribute("aria-expanded", String(wanted));
    document.getElementById(button.getAttribute("aria-controls")).hidden = !wanted;
  }

  const folds = [...document.querySelectorAll("button.fold")];
  for (const button of folds) {
    button.addEventListener("click", () => open(button, button.getAttribute("aria-expanded") !== "true"));
  }

  const all = document.querySelector("button.fold-all");
  function openAll(wanted) {
    folds.forEach((button) => open(button, wanted));
    all.setAttribute("aria-pressed", String(wanted));
    all.textContent = wanted ? "Hide every answer" : "Show every answer";
  }
  all?.addEventListener("click", () => openAll(all.getAttribute("aria-pressed") !== "true"));
  document.querySelector("button.print-all")?.addEventListener("click", () => {
    openAll(true);
    window.print();
  });

  // A link into a closed answer opens what hides it.
  function reveal() {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    for (let hidden = target.closest("[hidden]"); hidden; hidden = hidden.parentElement.closest("[hidden]")) {
      const button = document.querySelector(`[aria-controls="${hidden.id}"]`);
      if (!button) break;
      open(button, true);
    }
    target.scrollIntoView();
  }
  window.addEventListener("hashchange", reveal);
  reveal();

  // The theme wraps each copy button in a <nav>, many landmarks without a name.
  function unmark() {
    document.querySelectorAll("nav.md-code__nav:not([role])").forEach((nav) => nav.setAttribute("role", "presentation"));
  }
  const content = document.querySelector(".md-content");
  if (content) new MutationObserver(unmark).observe(content, { childList: true, subtree: true });
  unmark();

  // What scrolls sideways must scroll by keyboard.
  function reachable() {
    for (const box of document.querySelectorAll(".md-typeset__scrollwrap, .md-typeset pre > code, .arithmatex, .wide")) {
      if (box.scrollWidth > box.clientWidth && !box.hasAttribute("tabindex")) box.tabIndex = 0;
    }
  }
  reachable();
  window.addEventListener("load", reachable);
  window.addEventListener("resize", reachable);

  if (document.querySelector(".arithmatex")) {
    load("vendor/katex/katex.min.js").then(() => {
      for (const place of document.querySelectorAll(".arithmatex")) {
        const text = place.textContent.trim().replace(/^\\[([]|\\[)\]]$/g, "");
        katex.render(text, place, { throwOnError: false, displayMode: place.tagName === "DIV" });
      }
      reachable();
    });
  }

  const diagrams = [...document.querySelectorAll("pre.diagram")];
  if (diagrams.length) {
    const sources = diagrams.map((place) => place.textContent);
    const draw = async () => {
      const dark = document.body.dataset.mdColorScheme === "slate";
      mermaid.initialize({ startOnLoad: false, theme: dark ? "dark" : "neutral", fontFamily: "inherit" });
      for (const [index, place] of diagrams.entries()) {
        const { svg } = await mermaid.render(`diagram-${index}`, sources[index]);
        place.innerHTML = svg;
      }
    };
    load("vendor/mermaid.min.js").then(() => {
      draw();
      new MutationObserver(draw).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
    });
  }

  if (document.querySelector("form.filters, nav.walk[data-slug]")) load("list.js");
})();
