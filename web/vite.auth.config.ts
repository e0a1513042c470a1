import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { entry, sources } from './vite.entry';

/** The login pages must load fast, so they use Preact: same code, a third of React's size. */
export default defineConfig({
  ...entry('auth', 'index.html'),
  plugins: [react()],
  resolve: {
    alias: {
      ...sources,
      'react/jsx-runtime': 'preact/jsx-runtime',
      'react-dom/client': 'preact/compat/client',
      'react-dom': 'preact/compat',
      react: 'preact/compat',
    },
  },
});
