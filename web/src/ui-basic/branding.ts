import { applyAccent, textOn } from '../shared/accent';
import type { Info } from '../shared/info';

type Branding = Info['branding'];

const ROOT_FONT_PX = 16;

function variablesOf(branding: Branding): Readonly<Record<string, string>> {
  const { corner_radius: radius, font, background_color: color, background_image: image } = branding;
  return {
    '--radius': `${radius / ROOT_FONT_PX}rem`,
    '--font': font,
    '--brand-back': color,
    '--on-back': color && textOn(color),
    '--image': image && `url("${image}")`,
  };
}

/** Gives the page the look of the service. An empty variable falls back to the style of the page. */
export function applyBranding(branding: Branding): void {
  applyAccent(branding.primary_color);
  const { style, classList } = document.documentElement;
  for (const [name, value] of Object.entries(variablesOf(branding))) {
    if (value === '') style.removeProperty(name);
    else style.setProperty(name, value);
  }
  classList.toggle('on-image', branding.background_image !== '');
}
