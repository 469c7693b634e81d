import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig, type UserConfig } from "vite";

const config: UserConfig = defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react(), tailwindcss()],
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
