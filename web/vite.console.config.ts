import react from '@vitejs/plugin-react';
import { defineConfig, mergeConfig } from 'vite';
import { join } from 'node:path';
import { mantineStyles } from './mantine-styles.ts';
import { entry } from './vite.entry.ts';

/** One file for what pages share: many small files cost more round trips than the bytes that a page does not use. */
const sharedChunk = { name: 'shared', minShareCount: 3, test: /\.[jt]sx?$/ };

export default defineConfig(
  mergeConfig(entry('console', 'console.html'), {
    plugins: [mantineStyles(join(import.meta.dirname, 'src/console')), react()],
    build: { rolldownOptions: { output: { codeSplitting: { groups: [sharedChunk] } } } },
  }),
);
