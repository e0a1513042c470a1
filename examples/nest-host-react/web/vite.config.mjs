import { defineConfig } from 'vite';

/** `changeOrigin: false` keeps the host of the page, or Castellan rejects its changes as forged. */
const host = { target: `http://127.0.0.1:${process.env.PORT ?? 4500}`, changeOrigin: false };

export default defineConfig({
  build: { outDir: process.env.PAGE_DIR ?? '../page', emptyOutDir: true },
  // For `vite`, which serves the page while you change it.
  server: { host: '127.0.0.1', port: 4501, strictPort: true, proxy: { '/api': host, '/shop': host } },
  oxc: { jsx: { runtime: 'automatic' } },
});
