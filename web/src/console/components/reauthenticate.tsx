import { Button, Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Me } from '../../session/me';
import { waysOf } from '../../session/proofs';
import { LOGIN_WINDOW, loginAddress } from '../../session/session-end';
import { hasUnsaved } from '../../session/unsaved';
import { ReauthenticateForm } from './reauthenticate-form';
import type { WantedProof } from '../../session/wanted-proof';

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
