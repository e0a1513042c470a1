import { defineConfig } from 'vite';

/**
 * Builds one ES module of an entry, named by the mode: `index` for browsers and programs, `server` for the servers of
 * pages. swc makes the CommonJS file from it, with Node's default import interop.
 */
export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  build: {
    target: 'es2022',
    minify: false,
    emptyOutDir: false,
    lib: {
      entry: mode === 'server' ? 'src/server/index.ts' : 'src/index.ts',
      formats: ['es'],
      fileName: () => `${mode}.js`,
    },
    rolldownOptions: { external: ['openapi-fetch'] },
  },
}));
