import { Button, FileButton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../api';
import { useAct } from '../parts/use-act';
import { rememberMe } from '../query-client';
import { shrinkPicture } from './shrink-picture';

/** Uploads a picture as the avatar at once. */
export function PictureUpload({ onDone }: { readonly onDone: () => void }): ReactNode {
  const { t } = useTranslation();
  const act = useAct();
  const upload = async (file: File | null): Promise<void> => {
    if (!file) return;
    const picture = await shrinkPicture(file);
    if (picture === undefined) {
      act.showMessage({ picture: t('avatar.unreadable') });
      return;
    }
    const answer = await act.run(() => api.PUT('/api/auth/me/avatar', { body: { picture } }), t('act.saved'));
    if (!answer?.data) return;
    rememberMe(answer.data);
    onDone();
  };
  return (
    <Stack gap={4}>
      <FileButton accept="image/*" onChange={(file) => void upload(file)}>
        {(props) => (
          <Button {...props} size="compact-sm" variant="default" loading={act.busy}>
            {t('avatar.upload')}
          </Button>
        )}
      </FileButton>
      <Text size="sm" c="red" role="alert">
        {act.fields['picture']}
      </Text>
    </Stack>
  );
}
