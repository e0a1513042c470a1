import { defineConfig } from 'vite';

/** One file that runs in browsers as it is. What is CommonJS is made of it by swc, whose default imports are what Node gives. */
export default defineConfig({
  root: import.meta.dirname,
  build: {
    target: 'es2022',
    minify: false,
    lib: { entry: 'src/index.ts', formats: ['es'], fileName: () => 'index.js' },
    rollupOptions: { external: ['openapi-fetch'] },
  },
});
