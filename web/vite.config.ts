import { defineConfig } from "vite";

// The bundle goes into the Python package; its build hook runs this and the server serves it. In the mode "share" it is
// the page that `studio/sharing.py` fills with a recording: one script, because it lies in one file.
export default defineConfig(({ mode }) => ({
  base: "/",
  build: {
    outDir: mode === "share" ? "../src/inbetweener/studio/bundle/share" : "../src/inbetweener/studio/bundle",
    emptyOutDir: true,
    target: "es2022",
    chunkSizeWarningLimit: 2000,
    ...(mode === "share" && {
      copyPublicDir: false,
      lib: { entry: "src/share/main.ts", formats: ["es" as const], fileName: () => "share.js", cssFileName: "share" },
      rollupOptions: { output: { codeSplitting: false } },
    }),
  },
  // A library leaves this to whoever uses it; this one is used by browsers.
  define: mode === "share" ? { "process.env.NODE_ENV": '"production"' } : {},
}));
