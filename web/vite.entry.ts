import { join } from 'node:path';
import type { UserConfig } from 'vite';

const SERVICE = 'http://127.0.0.1:4000';

/** The client's own sources: no build of it stands before that of the pages. */
export const sources = { 'castellan-client': join(import.meta.dirname, '../packages/client/src/index.ts') };

/** What both builds share; each writes a folder of its own, which the service reads. */
export const entry = (name: string, page: string): UserConfig => ({
  root: import.meta.dirname,
  resolve: { alias: sources },
  server: { proxy: { '/api': SERVICE, '/.well-known': SERVICE } },
  build: {
    outDir: `../dist/web/${name}`,
    emptyOutDir: true,
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: { input: page },
  },
});
