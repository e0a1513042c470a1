import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './console.css';
import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { RouterProvider } from 'react-router';
import { applyAccent } from '../shared/accent';
import { readInfo } from '../shared/info';
import { loadTexts } from '../shared/language';
import { pageNonce } from '../shared/page-nonce';
import { InfoProvider } from './info-context';
import { queryClient } from './query-client';
import { router } from './router';
import { themeOf } from './theme';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root');

const nonce = pageNonce();
// For the library that locks scrolling under a drawer.
setNonce(nonce);

const info = readInfo();
applyAccent(info.branding.primary_color);
const texts = await loadTexts({
  en: () => import('../../../i18n/en/console.json'),
  zh: () => import('../../../i18n/zh/console.json'),
});
createRoot(root).render(
  <StrictMode>
    <I18nextProvider i18n={texts}>
      <MantineProvider
        theme={themeOf(info.branding.primary_color, {
          close: texts.t('act.close'),
          showPassword: texts.t('field.show_password'),
        })}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queryClient}>
          <InfoProvider info={info}>
            <ModalsProvider
              labels={{ confirm: texts.t('act.confirm'), cancel: texts.t('act.cancel') }}
              modalProps={{ closeButtonProps: { 'aria-label': texts.t('act.close') } }}
            >
              <Notifications position="bottom-right" />
              <RouterProvider router={router} />
            </ModalsProvider>
          </InfoProvider>
        </QueryClientProvider>
      </MantineProvider>
    </I18nextProvider>
  </StrictMode>,
);
