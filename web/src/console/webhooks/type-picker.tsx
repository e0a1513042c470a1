import { Checkbox, Fieldset, Radio, SimpleGrid, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { familyNames, typesIn, wholeFamily, type EventFamily } from '../events/event-types';
import { useEventTitle } from '../events/use-event-title';

interface TypePickerProps {
  /** Filters of types. Empty: all events. */
  readonly value: readonly string[];
  readonly error?: string | undefined;
  readonly disabled?: boolean;
  readonly onChange: (filters: string[]) => void;
}

function Family({ family, value, onChange }: TypePickerProps & { readonly family: EventFamily }): ReactNode {
  const { t } = useTranslation();
  const titleOf = useEventTitle();
  const whole = wholeFamily(family);
  const ofFamily = value.filter((filter) => filter !== whole && filter.startsWith(`${family}.`));
  const types = [...new Set([...typesIn(family), ...ofFamily])];
  const [only = whole] = types;
  const isSingle = types.length === 1;
  const isWhole = value.includes(whole) || (isSingle && value.includes(only));
  const others = value.filter((filter) => filter !== whole && !types.includes(filter));
  const toggle = (type: string, isWanted: boolean): void => {
    onChange(isWanted ? [...value, type] : value.filter((filter) => filter !== type));
  };
  return (
    <Fieldset legend={t(`events.family_${family}`)}>
      <Stack gap="xs">
        <Checkbox
          label={titleOf(isSingle ? only : whole)}
          checked={isWhole}
          onChange={(event) => {
            onChange(event.currentTarget.checked ? [...others, whole] : others);
          }}
        />
        {!isSingle &&
          types.map((type) => (
            <Checkbox
              key={type}
              label={titleOf(type)}
              checked={isWhole || value.includes(type)}
              disabled={isWhole}
              onChange={(event) => {
                toggle(type, event.currentTarget.checked);
              }}
            />
          ))}
      </Stack>
    </Fieldset>
  );
}

/** Selects all events, or families and types of events. */
export function TypePicker(props: TypePickerProps): ReactNode {
  const { t } = useTranslation();
  const { value, error, disabled = false, onChange } = props;
  const [isChosen, setChosen] = useState(value.length > 0);
  const isSome = isChosen || value.length > 0;
  return (
    <Fieldset legend={t('webhooks.types')} disabled={disabled}>
      <Stack>
        <Radio.Group
          aria-label={t('webhooks.types')}
          value={isSome ? 'some' : 'all'}
          onChange={(wanted) => {
            setChosen(wanted === 'some');
            if (wanted === 'all') onChange([]);
          }}
        >
          <Stack gap="xs">
            <Radio value="all" label={t('webhooks.all_types')} description={t('webhooks.all_types_hint')} />
            <Radio value="some" label={t('webhooks.some_types')} />
          </Stack>
        </Radio.Group>
        {isSome && value.length === 0 && <Text size="sm">{t('webhooks.no_types')}</Text>}
        {error !== undefined && (
          <Text size="sm" className="danger" role="alert">
            {error}
          </Text>
        )}
        {isSome && (
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {familyNames.map((family) => (
              <Family key={family} {...props} family={family} />
            ))}
          </SimpleGrid>
        )}
      </Stack>
    </Fieldset>
  );
}
