import { Group, Stack, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { useInfo } from '../info-context';
import { useNavigationFocus } from './use-navigation-focus';

interface PageProps {
  readonly title: string;
  readonly lead?: string;
  readonly actions?: ReactNode;
  /** For content in columns. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

export function Page({ title, lead, actions, wide = false, children }: PageProps): ReactNode {
  const { name } = useInfo();
  const heading = useNavigationFocus();
  useEffect(() => {
    document.title = `${title} · ${name}`;
  }, [title, name]);
  return (
    <Stack gap="lg" maw={wide ? 1200 : 860}>
      <Group justify="space-between" align="flex-start">
        <div className="wrap">
          <Title ref={heading} tabIndex={-1} order={1} size="h2">
            {title}
          </Title>
          {lead && <Text c="dimmed">{lead}</Text>}
        </div>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}
