import { Card, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  readonly title: string;
  readonly lead?: string | undefined;
  readonly children: ReactNode;
}

/** Part of a page with a heading. */
export function Section({ title, lead, children }: SectionProps): ReactNode {
  return (
    <Card withBorder component="section">
      <Stack>
        <div>
          <Title order={2} size="h4">
            {title}
          </Title>
          {lead !== undefined && lead !== '' && (
            <Text size="sm" c="dimmed">
              {lead}
            </Text>
          )}
        </div>
        {children}
      </Stack>
    </Card>
  );
}
