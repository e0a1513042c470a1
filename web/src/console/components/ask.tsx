import { Stack, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';

interface Question {
  readonly title: string;
  /** Names the object and describes the consequences. */
  readonly text: string;
  readonly details?: ReactNode;
  readonly confirm: string;
}

/** Asks for confirmation before an action with consequences. */
export function ask({ title, text, details, confirm }: Question): Promise<boolean> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title,
      children: (
        <Stack gap="xs">
          <Text size="sm">{text}</Text>
          {details}
        </Stack>
      ),
      // Passing `labels` would remove the label of the cancel button.
      confirmProps: { color: 'red.9', children: confirm },
      onConfirm: () => {
        resolve(true);
      },
      onClose: () => {
        resolve(false);
      },
    });
  });
}
