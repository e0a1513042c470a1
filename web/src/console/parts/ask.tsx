import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';

interface Question {
  readonly title: string;
  /** Describes the consequences. */
  readonly text: string;
  readonly confirm: string;
}

/** Asks for confirmation before a destructive action. */
export function ask({ title, text, confirm }: Question): Promise<boolean> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title,
      children: <Text size="sm">{text}</Text>,
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
