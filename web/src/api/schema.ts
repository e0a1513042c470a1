export type { components, paths } from 'castellan-client';
