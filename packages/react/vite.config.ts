import { defineConfig, type Plugin } from 'vite';

/** The forms use the hooks of the installed package: a second copy would have another context. */
const hooksOfThePackage: Plugin = {
  name: 'castellan-hooks',
  enforce: 'pre',
  resolveId: (source) => (source === '../index' ? { id: 'castellan-react', external: true } : null),
};

/** Builds one ES module of an entry, named by the mode. swc makes the CommonJS file from it. */
export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  plugins: [hooksOfThePackage],
  // Whatever NODE_ENV the build has.
  oxc: { jsx: { runtime: 'automatic', development: false } },
  build: {
    target: 'es2022',
    minify: false,
    emptyOutDir: false,
    lib: {
      entry: mode === 'forms' ? 'src/forms/index.ts' : 'src/index.ts',
      formats: ['es'],
      fileName: () => `${mode}.js`,
    },
    rolldownOptions: { external: ['react', /^react\//, 'castellan-client', '@simplewebauthn/browser'] },
  },
}));
