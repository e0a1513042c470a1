import { Anchor, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { PageIcon } from './page-icon';
import { useFound, type Found } from './use-found';

const REST_MS = 200;

interface QuickSearchProps {
  readonly onClose: () => void;
}

function Results({ found, onClose }: QuickSearchProps & { readonly found: readonly Found[] }): ReactNode {
  const { t } = useTranslation();
  return (
    <Stack component="ul" gap={4} p={0} m={0} className="plain">
      {found.map(({ path, name, kind, icon }) => (
        <li key={`${kind} ${path} ${name}`}>
          <PageIcon name={icon} />{' '}
          <Anchor component={Link} to={path} underline="always" onClick={onClose}>
            {name}
          </Anchor>{' '}
          <Text component="span" size="sm" c="dimmed">
            {t(`search.${kind}`)}
          </Text>
        </li>
      ))}
    </Stack>
  );
}

/** Moves the focus between the field and the results, as the arrow keys do in a list. */
function moveBy(form: HTMLElement, step: 1 | -1): void {
  const stops = [...form.querySelectorAll<HTMLElement>('input, a')];
  const here = stops.findIndex((stop) => stop === document.activeElement);
  stops[Math.min(Math.max(here + step, 0), stops.length - 1)]?.focus();
}

/** Finds pages, users, roles, groups, organizations and so on that the user may see. Enter opens the first result. */
export default function QuickSearch({ onClose }: QuickSearchProps): ReactNode {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [keyword] = useDebouncedValue(text.trim(), REST_MS);
  const { found, isLoading } = useFound(keyword);
  const isEmpty = keyword !== '' && !isLoading && found.length === 0;
  return (
    <Modal opened onClose={onClose} title={t('search.title')}>
      <form
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          moveBy(event.currentTarget, event.key === 'ArrowDown' ? 1 : -1);
        }}
        onSubmit={(event) => {
          event.preventDefault();
          const [first] = found;
          if (!first || keyword !== text.trim()) return;
          onClose();
          void navigate(first.path);
        }}
      >
        <Stack>
          <TextInput
            data-autofocus
            type="search"
            label={t('search.label')}
            value={text}
            autoComplete="off"
            onChange={(event) => {
              setText(event.currentTarget.value);
            }}
          />
          <Results found={found} onClose={onClose} />
          <Text role="status" c="dimmed">
            {isEmpty && t('list.none')}
          </Text>
        </Stack>
      </form>
    </Modal>
  );
}
