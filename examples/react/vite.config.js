import { defineConfig } from 'vite';

export default defineConfig({
  server: { host: '127.0.0.1', port: 4401, strictPort: true },
  oxc: { jsx: { runtime: 'automatic' } },
});
