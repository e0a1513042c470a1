import { defineConfig } from 'vite';
import example from '../../examples/react/vite.config.js';

/** The example, on React 18. */
export default defineConfig({ ...example, resolve: { alias: { react: 'react-18', 'react-dom': 'react-dom-18' } } });
