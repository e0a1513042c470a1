import { can } from 'castellan-client';
import { Settings } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { accountIcons } from '../session/account-icons';
import type { Me } from '../session/me';
import { accountPages, adminPages, opens } from '../session/pages';
import { pages } from './pages';
import { shown } from './shown';
import { useStore } from './store';

const isAdministrator = (me: Me): boolean =>
  adminPages.some((page) => page.unlisted !== true && opens(page, (code) => can(me, code)));

interface MenuProps {
  readonly me: Me | undefined;
  /** On a phone. Elsewhere it is always open. */
  readonly opened: boolean;
  readonly onGo: () => void;
}

/** The account pages, and the way to the console for administrators. */
export function Menu({ me, opened, onGo }: MenuProps): ReactNode {
  const { t } = useTranslation();
  const path = useStore(shown)?.path;
  return (
    <nav aria-label={t('nav.title')} className={`menu ${opened ? '' : 'closed'}`}>
      {me &&
        accountPages
          .filter((page) => pages[page.path] !== undefined)
          .map((page) => {
            const Icon = accountIcons[page.name];
            return (
              <a key={page.path} href={page.path} aria-current={page.path === path ? 'page' : undefined} onClick={onGo}>
                {Icon && <Icon />}
                {t(`nav.${page.name}`)}
              </a>
            );
          })}
      {me && isAdministrator(me) && (
        <a href="/admin" className="apart">
          <Settings />
          {t('nav.administration')}
        </a>
      )}
    </nav>
  );
}
