import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { join } from 'node:path';
import { mantineStyles } from './mantine-styles';
import { entry } from './vite.entry';

export default defineConfig({
  ...entry('console', 'console.html'),
  plugins: [mantineStyles(join(import.meta.dirname, 'src/console')), react()],
});
