import { Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { checkWebAddress } from '../../../../src/platform/page-checks';
import type { OneLineProps } from './colour-input';

/** The address of an image, with the image once the service would accept the address. */
export function LogoInput({ value, onChange, ...rest }: OneLineProps): ReactNode {
  return (
    <Stack gap="xs">
      <TextInput
        {...rest}
        value={value}
        onChange={(event) => {
          onChange(event.currentTarget.value);
        }}
      />
      {/* The key shows a new image, not the broken mark of the one before. */}
      {value !== '' && checkWebAddress(value) === undefined && (
        <img key={value} src={value} alt="" className="logo-preview" />
      )}
    </Stack>
  );
}
