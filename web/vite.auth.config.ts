import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { entry } from './vite.entry.ts';

export default defineConfig({ ...entry('auth', 'index.html'), plugins: [react()] });
