import { Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import type { OneLineProps } from './colour-input';

const IMAGE = /^(https:\/\/|\/(?!\/))/;

/** The address of an image, with the image. */
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
      {IMAGE.test(value) && <img key={value} src={value} alt="" className="logo-preview" />}
    </Stack>
  );
}
