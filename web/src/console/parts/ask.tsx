import { Text } from '@mantine/core';
import { modals } from '@mantine/modals';

interface Question {
  readonly title: string;
  /** What will happen. */
  readonly text: string;
  readonly confirm: string;
}

/** Asks before something is taken away. */
export function ask({ title, text, confirm }: Question): Promise<boolean> {
  return new Promise((resolve) => {
    modals.openConfirmModal({
      title,
      children: <Text size="sm">{text}</Text>,
      // Labels of its own would leave the other button without one.
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
