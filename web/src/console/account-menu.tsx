import { Anchor, Stack, Text, UnstyledButton } from '@mantine/core';
import { useClickOutside, useDisclosure } from '@mantine/hooks';
import { useId, useRef, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { LogOut } from './log-out';
import type { Me } from './me';
import { LanguageSelect } from './components/language-select';
import { SchemeSelect } from './components/scheme-select';

interface AccountMenuProps {
  /** Undefined while the account is loading. */
  readonly me: Me | undefined;
}

/** Account, language, colour scheme and logout, behind the picture of the user. */
export function AccountMenu({ me }: AccountMenuProps): ReactNode {
  const { t } = useTranslation();
  const [opened, { toggle, close }] = useDisclosure();
  const box = useClickOutside<HTMLDivElement>(close);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useId();
  return (
    <div
      ref={box}
      className="account-menu"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !opened) return;
        event.stopPropagation();
        close();
        button.current?.focus();
      }}
    >
      <UnstyledButton
        ref={button}
        className="account-button"
        aria-label={t('nav.account')}
        aria-expanded={opened}
        aria-controls={panel}
        onClick={toggle}
      >
        {me && <img src={me.avatar} width={34} height={34} alt="" className="picture" />}
      </UnstyledButton>
      {opened && (
        <div id={panel} className="account-panel">
          <Stack gap="sm">
            {me && (
              <div className="wrap">
                <Text fw={600}>{me.nickname === '' ? me.username : me.nickname}</Text>
                <Anchor component={Link} to="/account" size="sm" underline="always" onClick={close}>
                  {t('nav.profile')}
                </Anchor>
              </div>
            )}
            <LanguageSelect />
            <SchemeSelect />
            <LogOut />
          </Stack>
        </div>
      )}
    </div>
  );
}
