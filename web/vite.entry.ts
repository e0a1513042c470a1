import { join } from 'node:path';
import type { UserConfig } from 'vite';

const SERVICE = 'http://127.0.0.1:4000';

/** Sources of the API client, so that the pages build without building the client first. */
const sources = { 'castellan-client': join(import.meta.dirname, '../packages/client/src/index.ts') };

/** The pages must load fast, so they run on Preact: same code, a tenth of React's size. */
const preact = {
  'react/jsx-runtime': 'preact/jsx-runtime',
  'react-dom/client': 'preact/compat/client',
  'react-dom': 'preact/compat',
  // For versions of React without that hook.
  'use-sync-external-store/shim': 'preact/compat',
  react: join(import.meta.dirname, 'react-on-preact.mjs'),
};

/** Options of both builds. Each build writes a separate folder, which the service reads. */
export const entry = (name: string, page: string): UserConfig => ({
  root: import.meta.dirname,
  resolve: { alias: { ...sources, ...preact } },
  server: { proxy: { '/api': SERVICE, '/.well-known': SERVICE } },
  build: {
    outDir: `../dist/web/${name}`,
    emptyOutDir: true,
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: page },
  },
});
