import { Anchor, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Organization } from './organization-lists';

export function OwnOrganizationLinks({
  organizations,
}: {
  readonly organizations: readonly Organization[];
}): ReactNode {
  return (
    <Stack gap="xs">
      {organizations.map(({ id, name }) => (
        <Anchor key={id} component={Link} to={`/account/organizations/${id}`} underline="always">
          {name}
        </Anchor>
      ))}
    </Stack>
  );
}
