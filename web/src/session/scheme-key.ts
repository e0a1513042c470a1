/** Key of the browser's storage for the colour scheme: `auto`, `light` or `dark`. */
export const SCHEME_KEY = 'mantine-color-scheme-value';
