import { defineConfig } from 'vite';

/** Builds one ES module for browsers. swc makes the CommonJS file from it, with Node's default import interop. */
export default defineConfig({
  root: import.meta.dirname,
  build: {
    target: 'es2022',
    minify: false,
    lib: { entry: 'src/index.ts', formats: ['es'], fileName: () => 'index.js' },
    rollupOptions: { external: ['openapi-fetch'] },
  },
});
