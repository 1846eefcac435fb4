/// The script of a page: search, filters, and what a link into closed details opens.
///
/// Without it everything can still be read.
enum HTMLScript {
    /// The source, as it stands in the page.
    static let text = #"""
        "use strict";
        (() => {
          const all = (query, root) => Array.from((root || document).querySelectorAll(query));
          const open = (element) => {
            for (let e = element; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true;
            all(":scope > details", element).forEach((d) => { d.open = true; });
          };
          const follow = () => {
            let name = location.hash.slice(1);
            try { name = decodeURIComponent(name); } catch (_) { return; }
            const target = name && document.getElementById(name);
            if (!target) return;
            open(target);
            if (target.hidden) { reset(); }
            target.scrollIntoView();
          };
          const form = document.getElementById("filter");
          const rows = all("#case-rows > tr");
          const texts = rows.map((row) => row.textContent.toLowerCase());
          const search = document.getElementById("search");
          const boxes = form ? all("input[type=checkbox]", form) : [];
          const apply = () => {
            const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
            const verdicts = new Set(boxes.filter((b) => b.checked).map((b) => b.value));
            let count = 0;
            rows.forEach((row, i) => {
              const fits = verdicts.has(row.dataset.v) && words.every((w) => texts[i].includes(w));
              row.hidden = !fits;
              if (fits) count += 1;
            });
            document.getElementById("shown").textContent = count + " of " + rows.length + " shown";
          };
          const reset = () => {
            search.value = "";
            boxes.forEach((b) => { b.checked = true; });
            apply();
          };
          if (form) {
            form.hidden = false;
            form.addEventListener("submit", (event) => event.preventDefault());
            form.addEventListener("input", apply);
            apply();
            document.addEventListener("keydown", (event) => {
              const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName);
              if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
                event.preventDefault();
                search.focus();
              }
            });
          }
          const light = (event, on) => {
            const source = event.target.closest && event.target.closest("[data-f]");
            const message = source && source.closest(".message");
            if (!message) return;
            all('[data-f="' + source.dataset.f + '"]', message)
              .forEach((e) => e.classList.toggle("on", on));
          };
          document.addEventListener("mouseover", (event) => light(event, true));
          document.addEventListener("mouseout", (event) => light(event, false));
          addEventListener("hashchange", follow);
          addEventListener("beforeprint", () => all("details.case").forEach((d) => { d.open = true; }));
          follow();
        })();
        """#
}
