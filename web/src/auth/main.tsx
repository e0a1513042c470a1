import '../ui-basic/base.css';
import './auth.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { readInfo } from '../shared/info';
import { applyBranding } from '../ui-basic/branding';
import { CurrentInfo } from './current-info';
import { pages } from './pages';
import { ErrorPage } from './pages/error-page';
import { openTexts, texts } from './texts';

const root = document.getElementById('root');
if (!root) throw new Error('Missing the element #root');

const info = readInfo();
// Before the first paint of the page.
applyBranding(info.branding);
await openTexts();
const Content = pages[location.pathname] ?? ErrorPage;
createRoot(root).render(
  <StrictMode>
    <I18nextProvider i18n={texts.i18n}>
      <CurrentInfo loaded={info}>{(current) => <Content info={current} />}</CurrentInfo>
    </I18nextProvider>
  </StrictMode>,
);
