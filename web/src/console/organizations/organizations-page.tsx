import { Anchor, Button, Group as Row, Stack, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { $api, api } from '../api';
import { useMay } from '../use-permission';
import { Form } from '../../session/form';
import { ListSearch } from '../components/list-search';
import { Page } from '../components/page';
import { PagedTable } from '../components/paged-table';
import { Section } from '../components/section';
import { useSubmit } from '../hooks/use-submit';
import { useList } from '../hooks/use-list';
import { reloadOrganizations, type Organization } from './organization-lists';
import { slugOf } from './slug';

function CreateOrganization(): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const go = useNavigate();
  const [name, setName] = useState('');
  const [slug, setSlug] = useState<string>();
  const create = async (): Promise<void> => {
    const body = { name, slug: slug ?? slugOf(name) };
    const answer = await act.run(() => api.POST('/api/organization', { body }), t('act.saved'));
    if (!answer?.data) return;
    await reloadOrganizations();
    await go(`/admin/organizations/${answer.data.id}`);
  };
  return (
    <Section title={t('organizations.new')}>
      <Form act={act} onSubmit={create}>
        <Stack>
          <TextInput
            label={t('organizations.name')}
            value={name}
            error={act.fields['name']}
            autoComplete="off"
            onChange={(event) => {
              setName(event.currentTarget.value);
            }}
          />
          <TextInput
            label={t('organizations.slug')}
            description={t('organizations.slug_hint')}
            value={slug ?? slugOf(name)}
            error={act.fields['slug']}
            autoComplete="off"
            onChange={(event) => {
              setSlug(event.currentTarget.value);
            }}
          />
          <Row>
            <Button type="submit" variant="default" loading={act.busy} disabled={name === ''}>
              {t('act.add')}
            </Button>
          </Row>
        </Stack>
      </Form>
    </Section>
  );
}

export function OrganizationsPage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const list = useList();
  const organizations = $api.useQuery('get', '/api/organization', { params: { query: list.query } });
  const columns = [
    {
      name: t('organizations.name'),
      show: ({ id, name }: Organization) => (
        <Anchor component={Link} to={`/admin/organizations/${id}`} underline="always">
          {name}
        </Anchor>
      ),
    },
    { name: t('organizations.slug'), show: ({ slug }: Organization) => slug },
  ];
  return (
    <Page title={t('nav.organizations')} lead={t('organizations.lead')}>
      <ListSearch list={list} />
      <PagedTable
        query={organizations}
        page={list.page}
        onPage={list.setPage}
        label={t('nav.organizations')}
        columns={columns}
        rowKey={({ id }) => id}
        empty={t('list.none')}
      />
      {may('organization:create') && <CreateOrganization />}
    </Page>
  );
}
