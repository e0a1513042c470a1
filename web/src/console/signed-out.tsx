import { Button, getDefaultZIndex, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Cover, KEPT_MINUTES, LOGIN_WINDOW, useSignedOut } from '../session/session-end';
import { dropUnsaved } from '../session/unsaved';
import { useInfo } from './info-context';

interface SignedOutProps {
  /** Error code of the ended session. Undefined while a user is logged in. */
  readonly code: string | undefined;
}

/** Leads to the login after the session has ended. While the page has unsaved input, covers it and keeps the input. */
export function SignedOut({ code }: SignedOutProps): ReactNode {
  const { t } = useTranslation();
  const { name } = useInfo();
  const address = useSignedOut(code);
  return (
    <>
      {address !== undefined && <Cover name={name} />}
      <Modal
        className="above-cover"
        zIndex={getDefaultZIndex('max')}
        opened={address !== undefined}
        onClose={() => undefined}
        title={t('ended.title')}
        centered
        withCloseButton={false}
        closeOnEscape={false}
        closeOnClickOutside={false}
      >
        <Stack>
          <Text>{t('ended.kept', { minutes: KEPT_MINUTES })}</Text>
          <Group justify="flex-end">
            <Button component="a" href={address} variant="default" onClick={dropUnsaved}>
              {t('ended.leave')}
            </Button>
            <Button component="a" href={address} target={LOGIN_WINDOW} data-autofocus>
              {t('reauthenticate.log_in_again')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
