import { useEffect, useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { languageNames, pageLanguage, type Language } from '../../shared/language';
import type { Info } from '../../shared/info';
import { texts } from '../texts';
import { Acting } from './acting';

interface PageProps {
  readonly info: Info;
  readonly title: string;
  readonly lead?: string | undefined;
  readonly children?: ReactNode;
}

/** Module state, because React may unmount one step's page before it mounts the next. */
let shown: string | undefined;

/** Focuses the heading when a step replaces another, unless a field already has the focus. */
function useHeading(title: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const isNext = shown !== undefined && shown !== title;
    if (isNext && document.activeElement === document.body) heading.current?.focus();
    shown = title;
  }, [title]);
  return heading;
}

function LanguageSelect({ info }: { readonly info: Info }): ReactNode {
  const { t } = useTranslation();
  return (
    <label>
      <span className="unseen">{t('page.language')}</span>
      <select
        value={pageLanguage()}
        onChange={(event) => {
          void texts.choose(event.target.value as Language, info.cookie_prefix);
        }}
      >
        {Object.entries(languageNames).map(([language, name]) => (
          <option key={language} value={language} lang={language}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

const linked = ['terms', 'privacy', 'support'] as const;

interface LinkedPagesProps {
  /** Not the service. */
  readonly of?: string;
  readonly pages: Readonly<Record<(typeof linked)[number], string>>;
}

/** Links to pages of the operator or an organization. They open in a new tab, so that the login is not lost. */
function LinkedPages({ of: owner, pages }: LinkedPagesProps): ReactNode {
  const { t } = useTranslation();
  const shownLinks = linked.filter((name) => pages[name] !== '');
  if (shownLinks.length === 0) return null;
  return (
    <p className="links">
      {owner && <span>{owner}</span>}
      {shownLinks.map((name) => (
        <a key={name} href={pages[name]} target="_blank" rel="noopener noreferrer">
          {t(`page.${name}`)}
        </a>
      ))}
    </p>
  );
}

function Logo({ info }: { readonly info: Info }): ReactNode {
  const { logo, logo_dark: dark } = info.branding;
  if (logo === '') return null;
  return (
    <picture>
      {dark && <source srcSet={dark} media="(prefers-color-scheme: dark)" />}
      <img src={logo} alt="" />
    </picture>
  );
}

/** Frame of every page: service name, title, content and language. */
export function Page({ info, title, lead, children }: PageProps): ReactNode {
  const heading = useHeading(title);
  const { organization } = info;
  useLayoutEffect(() => {
    document.title = `${title} · ${info.name}`;
  }, [title, info]);
  return (
    <div className="frame">
      <Acting />
      <header>
        <Logo info={info} />
        <span>{info.name}</span>
        {organization?.name && <span className="beside">{organization.name}</span>}
      </header>
      <main>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead && <p className="lead">{lead}</p>}
        {children}
      </main>
      <footer>
        <LinkedPages pages={info.branding} />
        {organization && <LinkedPages of={organization.name} pages={organization} />}
        <LanguageSelect info={info} />
      </footer>
    </div>
  );
}
