import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { withoutSpaces } from '../../shared/code';
import { useCodeSending } from '../../shared/use-code-sending';

/** Eight digits, plus pasted spaces. */
const MAX_TYPED = 20;

interface CodeInputProps {
  readonly purpose: 'login' | 'bind';
  readonly channel: 'email' | 'sms';
  readonly target: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string | undefined;
}

/** Sends a code, counts down to the next sending, and holds the code that the user types. */
export function CodeInput({ purpose, channel, target, value, onChange, error }: CodeInputProps): ReactNode {
  const { t } = useTranslation();
  const { busy, left, notice, send } = useCodeSending({ purpose, channel, target }, t('page.unreachable'));
  return (
    <Stack gap={4}>
      <Group align="flex-end" wrap="nowrap" gap="xs">
        <TextInput
          flex={1}
          label={t('code.label')}
          value={value}
          error={error !== undefined}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={MAX_TYPED}
          onChange={(event) => {
            onChange(withoutSpaces(event.currentTarget.value));
          }}
        />
        <Button variant="default" loading={busy} disabled={left > 0 || target === ''} onClick={() => void send()}>
          {left > 0 ? t('code.again_in', { seconds: left }) : t('code.send')}
        </Button>
      </Group>
      <Text size="sm" role="status" c={notice?.failed || error ? 'red.9' : 'dimmed'}>
        {error ?? notice?.text}
      </Text>
    </Stack>
  );
}
