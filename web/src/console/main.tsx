import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './console.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { setNonce } from 'get-nonce';
import { StrictMode, useEffect, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nextProvider, useTranslation } from 'react-i18next';
import { RouterProvider } from 'react-router';
import { applyAccent } from '../shared/accent';
import type { Info } from '../shared/info';
import { pageNonce } from '../shared/page-nonce';
import { SCHEME_KEY } from '../session/scheme-key';
import { InfoProvider } from './info-context';
import { queryClient } from './query-client';
import { router } from './router';
import { openTexts, texts } from './texts';
import { themeOf } from './theme';

const root = document.getElementById('root');
if (!root) throw new Error('Missing the element #root');

const nonce = pageNonce();
// The library that locks scrolling under dialogs adds its own styles.
setNonce(nonce);

await openTexts();

const colorSchemeManager = localStorageColorSchemeManager({ key: SCHEME_KEY });

/** Providers for all components, in the page's language and the service's colour. */
function Console({ info }: { readonly info: Info }): ReactNode {
  const { t } = useTranslation();
  const { primary_color: color } = info.branding;
  useEffect(() => {
    applyAccent(color);
  }, [color]);
  return (
    <MantineProvider
      theme={themeOf(color, {
        close: t('act.close'),
        showPassword: t('field.show_password'),
      })}
      defaultColorScheme="auto"
      colorSchemeManager={colorSchemeManager}
      getStyleNonce={() => nonce}
    >
      <ModalsProvider
        labels={{ confirm: t('act.confirm'), cancel: t('act.cancel') }}
        modalProps={{ closeButtonProps: { 'aria-label': t('act.close') } }}
      >
        <Notifications position="bottom-right" />
        <RouterProvider router={router} />
      </ModalsProvider>
    </MantineProvider>
  );
}

createRoot(root).render(
  <StrictMode>
    <I18nextProvider i18n={texts.i18n}>
      <QueryClientProvider client={queryClient}>
        <InfoProvider>{(info) => <Console info={info} />}</InfoProvider>
      </QueryClientProvider>
    </I18nextProvider>
  </StrictMode>,
);
