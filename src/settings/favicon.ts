import { escapeHtml, textColorOn } from '../platform/util';
import { Branding } from './branding.service';

/** The first letter of the service's name on its colour, as a `data:` URL. */
export function faviconOf(name: string, color: string): string {
  const [letter = ''] = name.trim();
  const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${color}"/><text x="16" y="22.5" font-family="system-ui,sans-serif" font-size="19" font-weight="700" text-anchor="middle" fill="${textColorOn(color)}">${escapeHtml(letter.toUpperCase())}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(picture)}`;
}

/** The address of the icon of the service's pages. */
export const iconOf = ({ favicon, name, primaryColor }: Pick<Branding, 'favicon' | 'name' | 'primaryColor'>): string =>
  favicon === '' ? faviconOf(name, primaryColor) : favicon;
