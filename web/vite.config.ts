import { defineConfig } from "vite";

// The bundle goes into the Python package; its build hook runs this and the server serves it.
export default defineConfig({
  base: "/",
  build: {
    outDir: "../src/inbetweener/studio/bundle",
    emptyOutDir: true,
    target: "es2022",
    chunkSizeWarningLimit: 2000,
  },
});
