import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { useInfo } from '../info-context';
import { accountPages, adminPages, isOn } from '../../session/pages';
import { useNavigationFocus } from '../hooks/use-navigation-focus';

interface PageProps {
  readonly title: string;
  readonly lead?: string;
  readonly actions?: ReactNode;
  /** For content in columns. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** Leads from a subpage back to its list. */
function Trail(): ReactNode {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const list = [...adminPages, ...accountPages].find((page) => page.path !== pathname && isOn(page, pathname));
  if (!list) return null;
  return (
    <nav aria-label={t('nav.trail')}>
      <ol className="trail">
        <li>{t(adminPages.includes(list) ? 'nav.administration' : 'nav.account')}</li>
        <li>
          <Anchor component={Link} to={list.path} inherit underline="always">
            {t(`nav.${list.name}`)}
          </Anchor>
        </li>
      </ol>
    </nav>
  );
}

export function Page({ title, lead, actions, wide = false, children }: PageProps): ReactNode {
  const { name } = useInfo();
  const heading = useNavigationFocus();
  useEffect(() => {
    document.title = `${title} · ${name}`;
  }, [title, name]);
  return (
    <Stack gap="lg" maw={wide ? 1200 : 860}>
      <Group justify="space-between" align="flex-start">
        <div className="wrap">
          <Trail />
          <Title ref={heading} tabIndex={-1} order={1} size="h2">
            {title}
          </Title>
          {lead && <Text c="dimmed">{lead}</Text>}
        </div>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}
