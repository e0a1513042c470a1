import { ActionIcon, Anchor, Card, Group, Text } from '@mantine/core';
import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { inLanguage } from '../../shared/attributes';
import { Mark } from '../../session/mark';
import type { Attribute } from './attribute';

/** The facts that differ between attributes. */
function Marks({ attribute }: { readonly attribute: Attribute }): ReactNode {
  const { t } = useTranslation();
  const { unique, searchable, indexed, required, source } = attribute;
  const marks = [
    ...(required === 'no' ? [] : [t(`attributes.mark_${required}`)]),
    ...(unique ? [t('attributes.mark_unique')] : []),
    ...(searchable ? [t(indexed ? 'attributes.mark_searchable' : 'attributes.mark_indexing')] : []),
    ...(source === 'directory' ? [t('attributes.source_directory')] : []),
  ];
  return marks.map((text) => (
    <Mark key={text} tone="plain">
      {text}
    </Mark>
  ));
}

interface MoveButtonProps {
  readonly attribute: Attribute;
  readonly step: 'up' | 'down';
  readonly isPossible: boolean;
  readonly onPress: () => void;
}

const idOf = (step: string, { name }: Attribute): string => `${step}-${name}`;

function MoveButton({ attribute, step, isPossible, onPress }: MoveButtonProps): ReactNode {
  const { t } = useTranslation();
  return (
    <ActionIcon
      variant="default"
      size="lg"
      data-step={idOf(step, attribute)}
      aria-label={t(`attributes.${step}`, { label: inLanguage(attribute.label) })}
      // Not disabled, so that the focus stays at the ends of the list.
      aria-disabled={!isPossible}
      onClick={() => {
        if (isPossible) onPress();
      }}
    >
      {step === 'up' ? <ArrowUp /> : <ArrowDown />}
    </ActionIcon>
  );
}

interface AttributeOrderProps {
  readonly attributes: readonly Attribute[];
  readonly canMove: boolean;
  /** Moves the attribute to the place of another one, from 0. */
  readonly onMove: (name: string, to: number) => void;
}

/** The attributes in their order, which is changed by dragging or by buttons. */
export function AttributeOrder({ attributes, canMove, onMove }: AttributeOrderProps): ReactNode {
  const { t } = useTranslation();
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<string>();
  /** The button that moved a row. Browsers drop the focus when the row moves. */
  const pressed = useRef<string>(undefined);
  const order = attributes.map(({ name }) => name).join();
  useEffect(() => {
    if (pressed.current !== undefined) list.current?.querySelector<HTMLElement>(pressed.current)?.focus();
    pressed.current = undefined;
  }, [order]);
  return (
    <ol className="attributes" ref={list}>
      {attributes.map((attribute, place) => (
        <Card
          key={attribute.name}
          withBorder
          component="li"
          padding="sm"
          draggable={canMove}
          data-dragged={dragged === attribute.name || undefined}
          onDragStart={(event) => {
            event.dataTransfer.effectAllowed = 'move';
            setDragged(attribute.name);
          }}
          onDragEnd={() => {
            setDragged(undefined);
          }}
          onDragOver={(event) => {
            if (dragged !== undefined) event.preventDefault();
          }}
          onDrop={(event) => {
            event.preventDefault();
            if (dragged !== undefined && dragged !== attribute.name) onMove(dragged, place);
          }}
        >
          <Group justify="space-between" wrap="nowrap">
            <Group gap="sm" wrap="nowrap" className="wrap">
              {canMove && <GripVertical className="not-on-phone" aria-hidden />}
              <div className="wrap">
                <Group gap="xs">
                  <Anchor component={Link} to={`/admin/attributes/${attribute.name}`} underline="always">
                    {inLanguage(attribute.label)}
                  </Anchor>
                  <Marks attribute={attribute} />
                </Group>
                <Text size="sm" c="dimmed">
                  <code>{attribute.name}</code> · {t(`attributes.type_${attribute.type}`)} · {t('attributes.owner')}:{' '}
                  {t(`attributes.owner_${attribute.owner}`)}
                </Text>
              </div>
            </Group>
            {canMove && attributes.length > 1 && (
              <Group gap={4} wrap="nowrap">
                {(['up', 'down'] as const).map((step) => {
                  const to = place + (step === 'up' ? -1 : 1);
                  return (
                    <MoveButton
                      key={step}
                      attribute={attribute}
                      step={step}
                      isPossible={to >= 0 && to < attributes.length}
                      onPress={() => {
                        pressed.current = `[data-step="${idOf(step, attribute)}"]`;
                        onMove(attribute.name, to);
                      }}
                    />
                  );
                })}
              </Group>
            )}
          </Group>
        </Card>
      ))}
    </ol>
  );
}
