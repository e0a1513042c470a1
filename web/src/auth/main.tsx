import './auth.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { applyAccent } from '../shared/accent';
import { readInfo } from '../shared/info';
import { loadTexts } from '../shared/language';
import { pages } from './pages';
import { ErrorPage } from './pages/error-page';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root');

const info = readInfo();
applyAccent(info.branding.primary_color);
const texts = await loadTexts({
  en: () => import('../../../i18n/en/auth.json'),
  zh: () => import('../../../i18n/zh/auth.json'),
});
const Content = pages[location.pathname] ?? ErrorPage;
createRoot(root).render(
  <StrictMode>
    <I18nextProvider i18n={texts}>
      <Content info={info} />
    </I18nextProvider>
  </StrictMode>,
);
