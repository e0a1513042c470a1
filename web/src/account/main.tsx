import '../ui-basic/base.css';
import './account.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { applyBranding } from '../ui-basic/branding';
import { Frame } from './frame';
import { info } from './info';
import { reloadMe } from './me';
import { startRouter } from './router';
import { applyScheme } from './scheme';
import { openTexts, texts } from './texts';

const root = document.getElementById('root');
if (!root) throw new Error('Missing the element #root');

// Before the first paint of the page.
applyScheme();
applyBranding(info.branding);
void reloadMe();
void startRouter();
await openTexts();
createRoot(root).render(
  <StrictMode>
    <I18nextProvider i18n={texts.i18n}>
      <Frame />
    </I18nextProvider>
  </StrictMode>,
);
