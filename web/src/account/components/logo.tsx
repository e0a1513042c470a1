import type { ReactNode } from 'react';
import { info } from '../info';
import { useScheme } from '../scheme';

/** The logo of the service for the colour scheme of the page. */
export function Logo(): ReactNode {
  const scheme = useScheme();
  const { logo, logo_dark: dark } = info.branding;
  if (logo === '') return null;
  if (scheme !== 'auto' || dark === '') return <img src={scheme === 'dark' && dark !== '' ? dark : logo} alt="" />;
  return (
    <picture>
      <source srcSet={dark} media="(prefers-color-scheme: dark)" />
      <img src={logo} alt="" />
    </picture>
  );
}
