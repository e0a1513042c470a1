import { Button } from '@mantine/core';
import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { lazy, Suspense, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Loaded on first use. */
const QuickSearch = lazy(() => import('./quick-search'));

/** Opens the search over the whole console, also by Ctrl+K or ⌘K. */
export function QuickSearchButton(): ReactNode {
  const { t } = useTranslation();
  const [opened, { open, close }] = useDisclosure();
  useWindowEvent('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    // Over a question, one Escape would close both.
    if (document.querySelector('[role="dialog"]') === null) open();
  });
  return (
    <>
      <Button variant="default" size="xs" leftSection={<Search />} title={t('search.keys')} onClick={open}>
        {t('list.search')}
      </Button>
      {opened && (
        <Suspense fallback={null}>
          <QuickSearch onClose={close} />
        </Suspense>
      )}
    </>
  );
}
