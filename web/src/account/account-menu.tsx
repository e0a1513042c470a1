import { LogOut as LogOutIcon } from 'lucide-react';
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api/client';
import { languageNames, pageLanguage, type Language } from '../shared/language';
import type { Me } from '../session/me';
import { useLogOut } from '../session/use-log-out';
import { info } from './info';
import { Button } from './components/button';
import { chooseScheme, schemes, useScheme, type Scheme } from './scheme';
import { texts } from './texts';
import { useNotify } from './toasts';

interface SelectProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, label: string])[];
  readonly onChange: (value: T) => void;
}

function Select<T extends string>({ label, value, options, onChange }: SelectProps<T>): ReactNode {
  return (
    <label>
      {label}
      <select
        value={value}
        onChange={(event) => {
          onChange(event.target.value as T);
        }}
      >
        {options.map(([option, name]) => (
          <option key={option} value={option}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function LanguageSelect(): ReactNode {
  const { t } = useTranslation();
  const notify = useNotify();
  /** Also stores the choice in the account, whose language overrides the browser's. */
  const choose = async (language: Language): Promise<void> => {
    try {
      await api.PATCH('/api/auth/me', { body: { locale: language } });
      await texts.choose(language, info.cookie_prefix);
    } catch {
      notify.requestError(undefined);
    }
  };
  return (
    <Select
      label={t('page.language')}
      value={pageLanguage()}
      options={Object.entries(languageNames) as [Language, string][]}
      onChange={(language) => void choose(language)}
    />
  );
}

function SchemeSelect(): ReactNode {
  const { t } = useTranslation();
  return (
    <Select
      label={t('scheme.title')}
      value={useScheme()}
      options={schemes.map((scheme): [Scheme, string] => [scheme, t(`scheme.${scheme}`)])}
      onChange={chooseScheme}
    />
  );
}

function LogOut(): ReactNode {
  const { t } = useTranslation();
  const { busy, logOut } = useLogOut(useNotify());
  return (
    <Button busy={busy} onClick={logOut}>
      <LogOutIcon />
      {t('act.log_out')}
    </Button>
  );
}

interface AccountMenuProps {
  /** Undefined while the account is loading. */
  readonly me: Me | undefined;
}

/** Language, colour scheme and logout, behind the picture of the user. */
export function AccountMenu({ me }: AccountMenuProps): ReactNode {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useId();
  useEffect(() => {
    if (!opened) return;
    const closeOutside = ({ target }: PointerEvent): void => {
      if (target instanceof Node && !box.current?.contains(target)) setOpened(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
    };
  }, [opened]);
  return (
    <div
      ref={box}
      className="account-menu"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !opened) return;
        event.stopPropagation();
        setOpened(false);
        button.current?.focus();
      }}
    >
      <button
        ref={button}
        type="button"
        className="account-button"
        aria-label={t('nav.account')}
        aria-expanded={opened}
        aria-controls={panel}
        onClick={() => {
          setOpened(!opened);
        }}
      >
        {me && <img src={me.avatar} width={34} height={34} alt="" className="picture" />}
      </button>
      {opened && (
        <div id={panel} className="account-panel">
          {me && <strong className="wrap">{me.nickname === '' ? me.username : me.nickname}</strong>}
          <LanguageSelect />
          <SchemeSelect />
          <LogOut />
        </div>
      )}
    </div>
  );
}
