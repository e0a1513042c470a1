import { Button, Text } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { inLanguage } from '../../shared/attributes';
import { $api, api } from '../api';
import { useMay } from '../use-permission';
import { Loaded } from '../components/loaded';
import { Page } from '../components/page';
import { useSubmit } from '../hooks/use-submit';
import { queryClient } from '../query-client';
import { reloadAttributes, type Attribute } from './attribute';
import { AttributeOrder } from './attribute-order';

const { queryKey } = $api.queryOptions('get', '/api/attribute');
/** Between positions, so that an attribute can move between two others without them. */
const POSITION_STEP = 1_000;
const MAX_POSITION = 1_000_000;

/** A position between those of the neighbours; undefined: there is none left. */
function positionBetween(before: Attribute | undefined, after: Attribute | undefined): number | undefined {
  const from = before ? before.position : -1;
  const to = after ? after.position : from + 2 * POSITION_STEP;
  const position = Math.floor((from + to) / 2);
  return position > from && position < to && position <= MAX_POSITION ? position : undefined;
}

/** The attributes in their new order. Only the moved one has a new position, unless there is none between its neighbours. */
function reordered(attributes: readonly Attribute[], name: string, to: number): Attribute[] {
  const rest = attributes.filter((attribute) => attribute.name !== name);
  const position = positionBetween(rest[to - 1], rest[to]);
  const moved = attributes.filter((attribute) => attribute.name === name);
  const order = [...rest.slice(0, to), ...moved, ...rest.slice(to)];
  return order.map((attribute, place) => {
    if (position === undefined) return { ...attribute, position: (place + 1) * POSITION_STEP };
    return attribute.name === name ? { ...attribute, position } : attribute;
  });
}

interface OrderProps {
  readonly attributes: readonly Attribute[];
}

/** Shows the new order at once, and stores it. */
function Order({ attributes }: OrderProps): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const act = useSubmit();
  const [announced, setAnnounced] = useState('');
  const move = async (name: string, to: number): Promise<void> => {
    if (act.busy) return;
    const after = reordered(attributes, name, to);
    const before = new Map(attributes.map((attribute) => [attribute.name, attribute.position]));
    const changed = after.filter((attribute) => before.get(attribute.name) !== attribute.position);
    queryClient.setQueryData(queryKey, { items: after });
    const label = after[to]?.label;
    if (label) setAnnounced(t('attributes.moved', { label: inLanguage(label), place: to + 1 }));
    for (const { name: one, position } of changed) {
      const options = { params: { path: { name: one } }, body: { position } };
      if (!(await act.run(() => api.PATCH('/api/attribute/{name}', options)))) break;
    }
    await reloadAttributes();
  };
  return (
    <>
      <AttributeOrder
        attributes={attributes}
        canMove={may('attribute:update')}
        onMove={(name, to) => void move(name, to)}
      />
      <div role="status" className="unseen">
        {announced}
      </div>
    </>
  );
}

export function AttributesPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const attributes = $api.useQuery('get', '/api/attribute');
  return (
    <Page
      title={t('nav.attributes')}
      lead={t('attributes.lead')}
      actions={
        may('attribute:create') && (
          <Button component={Link} to="/admin/attributes/new" leftSection={<Plus />}>
            {t('attributes.add')}
          </Button>
        )
      }
    >
      <Loaded query={attributes}>
        {({ items }) =>
          items.length === 0 ? <Text c="dimmed">{t('attributes.none')}</Text> : <Order attributes={items} />
        }
      </Loaded>
    </Page>
  );
}
