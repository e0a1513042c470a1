import { Button, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import type { Me } from '../me';
import { LOGIN_WINDOW, loginAddress } from '../signed-out';
import { hasUnsaved } from '../unsaved';
import { ReauthenticateForm, type Way } from './reauthenticate-form';
import type { WantedProof } from './wanted-proof';

const factors = ['totp', 'passkey', 'recovery'] as const;

/** Throws the problem if the user's factors cannot be loaded. */
async function waysOf(me: Me, wanted: WantedProof): Promise<Way[]> {
  const { data, error } = await api.GET('/api/auth/mfa');
  // oxlint-disable-next-line typescript/only-throw-error -- the caller shows the problem
  if (!data) throw error;
  const held = factors.filter((factor) => data.items.some(({ type }) => type === factor));
  if (wanted === 'second') return held;
  return [
    ...held.filter((factor) => factor === 'passkey'),
    ...(me.has_password ? (['password'] as const) : []),
    ...(me.email_verified ? (['email'] as const) : []),
    ...(me.phone_verified ? (['sms'] as const) : []),
  ];
}

/** For users without a password, contact or passkey: a new login counts as a proof. */
function LogInAgain(): ReactNode {
  const { t } = useTranslation();
  return (
    <Stack>
      <Text size="sm">{t('reauthenticate.no_way')}</Text>
      <Button component="a" href={loginAddress()} {...(hasUnsaved() && { target: LOGIN_WINDOW })}>
        {t('reauthenticate.log_in_again')}
      </Button>
    </Stack>
  );
}

/** Lets the user reauthenticate in a dialog. Resolves to false if the user closes it. */
export async function reauthenticate(me: Me, title: string, wanted: WantedProof): Promise<boolean> {
  const ways = await waysOf(me, wanted);
  return new Promise((resolve) => {
    let proven = false;
    const id = modals.open({
      title,
      children:
        ways.length === 0 ? (
          <LogInAgain />
        ) : (
          <ReauthenticateForm
            me={me}
            ways={ways}
            onDone={() => {
              proven = true;
              modals.close(id);
            }}
          />
        ),
      onClose: () => {
        resolve(proven);
      },
    });
  });
}
