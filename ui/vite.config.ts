import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin, type UserConfig } from "vite";

/** The documentation goes along with the page, as it is written, with a list of what there is. */
const documentation: Plugin = {
  name: "documentation",
  generateBundle() {
    const folder = new URL("../docs/", import.meta.url);
    const pages = readdirSync(folder)
      .filter((file) => file.endsWith(".md"))
      .map((file) => ({ file, source: readFileSync(new URL(file, folder), "utf8") }));
    for (const { file, source } of pages) this.emitFile({ type: "asset", fileName: `docs/${file}`, source });
    const list = pages.map(({ file, source }) => {
      const name = file.replace(/\.md$/, "");
      return { name, title: /^# (.*)$/m.exec(source)?.[1] ?? name };
    });
    this.emitFile({ type: "asset", fileName: "docs/index.json", source: JSON.stringify(list) });
  },
};

const config: UserConfig = defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react(), tailwindcss(), documentation],
  build: {
    outDir: "../dist/ui",
    emptyOutDir: true,
    target: "es2023",
    // Fonts and icons stay files: the page allows no data in place of them.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    manifest: "manifest.json",
  },
  server: { proxy: { "/api": "http://localhost:7700", "/health": "http://localhost:7700" } },
});

export default config;
