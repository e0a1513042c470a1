import { Anchor, Button, CloseButton, Group as Row, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { components } from '../../api/schema';
import { findByName } from '../hooks/find-users';
import { useMay } from '../use-permission';
import { queryClient } from '../query-client';
import { useUnsaved } from '../../session/unsaved';
import { ask } from './ask';
import { Form } from '../../session/form';
import { LinesInput } from './lines-input';
import { Loaded } from './loaded';
import { Section } from './section';
import { ShowMore } from './show-more';
import { useSubmit, type Submit } from '../hooks/use-submit';
import { useCursorPages } from '../hooks/use-cursor-pages';

type Member = components['schemas']['PublicUserInfoDto'];
type CursorPage = components['schemas']['PublicUserCursorPageDto'];
type Answer = ReturnType<Parameters<Submit['run']>[0]>;

const MAX_NAMES = 50;

interface ChangeProps {
  /** Sends the request that adds the users. */
  readonly add: (userIds: string[]) => Answer;
  /** Sends the request that removes the user. */
  readonly remove: (userId: string) => Answer;
  /** Asks for confirmation. */
  readonly removal: (username: string) => { readonly title: string; readonly text: string };
  /** Called after a change. */
  readonly onChange: () => Promise<void>;
}

function AddMembers({ add, onChange }: Pick<ChangeProps, 'add' | 'onChange'>): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const [names, setNames] = useState<string[]>([]);
  useUnsaved(names.length > 0);
  const addAll = async (): Promise<void> => {
    const wanted = [...new Set(names)].slice(0, MAX_NAMES);
    const found = await act.find(() => Promise.all(wanted.map(async (name) => ({ name, id: await findByName(name) }))));
    if (!found) return;
    const unknown = found.data.filter(({ id }) => id === undefined).map(({ name }) => name);
    if (unknown.length > 0) {
      act.showMessage({ names: t('roles.unknown_names', { names: unknown.join(', ') }) });
      return;
    }
    const ids = found.data.flatMap(({ id = [] }) => id);
    if (!(await act.run(() => add(ids), t('act.saved')))) return;
    setNames(names.filter((name) => !wanted.includes(name)));
    await onChange();
  };
  return (
    <Form act={act} onSubmit={addAll}>
      <Stack gap="xs">
        <LinesInput
          label={t('roles.add_members')}
          description={t('groups.add_members_hint', { most: MAX_NAMES })}
          value={names}
          error={act.fields['names']}
          onChange={setNames}
        />
        <Row>
          <Button type="submit" variant="default" disabled={names.length === 0} loading={act.busy}>
            {t('act.add')}
          </Button>
        </Row>
      </Stack>
    </Form>
  );
}

interface MemberTagProps extends Omit<ChangeProps, 'add'> {
  readonly member: Member;
  readonly editable: boolean;
}

function MemberTag({ member, editable, remove, removal, onChange }: MemberTagProps): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const act = useSubmit();
  const { id, username } = member;
  const { title, text } = removal(username);
  const removeAfterAsking = async (): Promise<void> => {
    if (!(await ask({ title, text, confirm: t('act.remove') }))) return;
    if (await act.run(() => remove(id), t('act.saved'))) await onChange();
  };
  return (
    <span className="member">
      {may('user:admin') ? (
        <Anchor component={Link} to={`/admin/users/${id}`} underline="always">
          {username}
        </Anchor>
      ) : (
        username
      )}
      {editable && (
        <CloseButton size="sm" aria-label={title} disabled={act.busy} onClick={() => void removeAfterAsking()} />
      )}
    </span>
  );
}

interface MemberListProps extends ChangeProps {
  readonly title: string;
  readonly lead: string;
  readonly listKey: readonly unknown[];
  readonly load: (cursor: string) => Promise<{ data?: unknown; error?: unknown }>;
  readonly editable: boolean;
}

/** Lists users, adds some by username, and removes them. */
export function MemberList({ title, lead, listKey, load, editable, ...change }: MemberListProps): ReactNode {
  const { t } = useTranslation();
  const members = useCursorPages<Member>(listKey, async (cursor) => {
    const { data, error } = await load(cursor);
    return { data: data as CursorPage, error };
  });
  const onChange = async (): Promise<void> => {
    await queryClient.invalidateQueries({ queryKey: listKey });
    await change.onChange();
  };
  return (
    <Section title={title} lead={lead}>
      <Loaded query={members}>
        {(rows) => (
          <>
            {rows.length === 0 && <Text c="dimmed">{t('roles.no_members')}</Text>}
            <Row gap="xs" className="wrap">
              {rows.map((member) => (
                <MemberTag key={member.id} {...change} member={member} editable={editable} onChange={onChange} />
              ))}
            </Row>
            <ShowMore more={members.more} align="flex-start" />
          </>
        )}
      </Loaded>
      {editable && <AddMembers add={change.add} onChange={onChange} />}
    </Section>
  );
}
