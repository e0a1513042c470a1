import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { entry, sources } from './vite.entry';

/** The pages before the login are small and must be there at once: a third of React's weight, the same code. */
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
