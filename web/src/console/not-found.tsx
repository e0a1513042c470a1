import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Page } from './components/page';

/** Page for unknown addresses. */
export function NotFound(): ReactNode {
  const { t } = useTranslation();
  return (
    <Page title={t('page.not_found')}>
      <Text>{t('page.not_found_hint')}</Text>
      <Anchor component={Link} to="/account" underline="always">
        {t('nav.profile')}
      </Anchor>
    </Page>
  );
}
