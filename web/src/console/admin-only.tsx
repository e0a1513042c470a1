import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, Outlet, useLocation } from 'react-router';
import { useMay } from './use-permission';
import { NotFound } from './not-found';
import { adminPages, isOn, opens } from '../session/pages';
import { Page } from './components/page';

/**
 * Shows an administration page to users with its permission. `/admin` redirects to the first page that the user may
 * open.
 */
export function AdminOnly(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const { pathname } = useLocation();
  const open = adminPages.filter((page) => opens(page, may));
  if (open.some((page) => isOn(page, pathname))) return <Outlet />;
  const first = open.find(({ unlisted = false }) => !unlisted);
  if (pathname === '/admin' && first) return <Navigate to={first.path} replace />;
  if (open.length > 0 && !adminPages.some((page) => isOn(page, pathname))) return <NotFound />;
  return (
    <Page title={t('page.not_yours')}>
      <Text>{t('page.not_yours_hint')}</Text>
    </Page>
  );
}
