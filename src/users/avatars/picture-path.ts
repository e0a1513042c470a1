import type { PictureFormat } from './picture';

export const picturePath = (name: string, format: PictureFormat): string => `/api/avatar/${name}.${format}`;
