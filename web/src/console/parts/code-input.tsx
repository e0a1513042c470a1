import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem, sentenceOf } from '../../api/problem';
import { api } from '../api';

const SECOND_MS = 1_000;
const LONGEST_WAIT = 600;

interface CodeInputProps {
  readonly purpose: 'login' | 'bind';
  readonly channel: 'email' | 'sms';
  readonly target: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string | undefined;
}

/** Has a code sent, counts down to the next sending, and takes it. */
export function CodeInput({ purpose, channel, target, value, onChange, error }: CodeInputProps): ReactNode {
  const { t } = useTranslation();
  const [left, setLeft] = useState(0);
  const [told, setTold] = useState<{ text: string; failed: boolean }>();
  const timer = useInterval(() => {
    setLeft((seconds) => {
      if (seconds <= 1) timer.stop();
      return Math.max(0, seconds - 1);
    });
  }, SECOND_MS);
  const countDown = (seconds: number): void => {
    setLeft(Math.min(seconds, LONGEST_WAIT));
    if (seconds > 0) timer.start();
  };

  const send = async (): Promise<void> => {
    const {
      data,
      error: refusal,
      response,
    } = await api.POST('/api/auth/codes', { body: { purpose, channel, target } });
    if (data) {
      countDown(data.resend_after);
      setTold({ text: t('code.sent', { target }), failed: false });
    } else {
      countDown(Number(response.headers.get('retry-after') ?? 0));
      setTold({ text: isProblem(refusal) ? sentenceOf(refusal) : t('page.unreachable'), failed: true });
    }
  };
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
          maxLength={8}
          onChange={(event) => {
            onChange(event.currentTarget.value);
          }}
        />
        <Button variant="default" disabled={left > 0 || target === ''} onClick={() => void send()}>
          {left > 0 ? t('code.again_in', { seconds: left }) : t('code.send')}
        </Button>
      </Group>
      <Text size="sm" role="status" c={told?.failed || error ? 'red.9' : 'dimmed'}>
        {error ?? told?.text}
      </Text>
    </Stack>
  );
}
