import type { UserConfig } from 'vite';

const SERVICE = 'http://127.0.0.1:4000';

/** What both builds share; each writes a folder of its own, which the service reads. */
export const entry = (name: string, page: string): UserConfig => ({
  root: import.meta.dirname,
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
