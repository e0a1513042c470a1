import { Button, Stack } from '@mantine/core';
import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { inLanguage } from '../../shared/attributes';
import { Form } from '../../session/form';
import { $api, api } from '../api';
import { useMay } from '../use-permission';
import { ask } from '../components/ask';
import { changesOf } from '../hooks/changes';
import { Loaded } from '../components/loaded';
import { Page } from '../components/page';
import { SaveRow } from '../components/save-row';
import { useSubmit } from '../hooks/use-submit';
import { useEdits } from '../hooks/use-edits';
import { useGoOn } from '../hooks/use-go-on';
import { useRemoveOnLeave } from '../hooks/use-remove-on-leave';
import { queryClient } from '../query-client';
import { bodyOf, formOf, reloadAttributes, type Attribute } from './attribute';
import { AttributeFields } from './attribute-fields';

const attributeOf = (name: string) => $api.queryOptions('get', '/api/attribute/{name}', { params: { path: { name } } });

interface PartProps {
  readonly attribute: Attribute;
}

function EditAttribute({ attribute }: PartProps): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const act = useSubmit();
  const { name } = attribute;
  const stored = formOf(attribute);
  const { values, change, saved } = useEdits(stored);
  const body = changesOf(bodyOf(stored), bodyOf(values));
  const save = async (): Promise<void> => {
    const options = { params: { path: { name } }, body };
    const answer = await act.run(() => api.PATCH('/api/attribute/{name}', options), t('act.saved'));
    if (!answer?.data) return;
    queryClient.setQueryData(attributeOf(name).queryKey, answer.data);
    saved(formOf(answer.data));
    await reloadAttributes();
  };
  // The service refuses both with the same code.
  const { type, ...others } = act.fields;
  const isAboutUnique = type !== undefined && values.type === stored.type;
  const editable = may('attribute:update');
  return (
    <Form act={act} onSubmit={save}>
      <Stack gap="lg">
        <AttributeFields
          values={values}
          errors={isAboutUnique ? { ...others, unique: type } : act.fields}
          disabled={!editable}
          onChange={change}
        />
        {editable && <SaveRow act={act} body={body} />}
      </Stack>
    </Form>
  );
}

function DeleteAttribute({ attribute }: PartProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const goOn = useGoOn();
  const { name, label } = attribute;
  const removeOnLeave = useRemoveOnLeave(attributeOf(name).queryKey);
  const remove = async (): Promise<void> => {
    const text = t('attributes.delete_ask', { label: inLanguage(label), name });
    if (!(await ask({ title: t('attributes.delete'), text, confirm: t('attributes.delete') }))) return;
    const call = () => api.DELETE('/api/attribute/{name}', { params: { path: { name } } });
    if (!(await act.run(call, t('attributes.deleted', { name })))) return;
    await reloadAttributes();
    removeOnLeave();
    await goOn('/admin/attributes', { replace: true });
  };
  return (
    <Button
      variant="default"
      className="danger"
      leftSection={<Trash2 />}
      loading={act.busy}
      onClick={() => void remove()}
    >
      {t('attributes.delete')}
    </Button>
  );
}

export function AttributePage(): ReactNode {
  const { t } = useTranslation();
  const may = useMay();
  const { name = '' } = useParams();
  const query = $api.useQuery('get', '/api/attribute/{name}', { params: { path: { name } } });
  const attribute = query.data;
  return (
    <Page
      title={attribute ? inLanguage(attribute.label) : t('nav.attributes')}
      lead={name}
      actions={attribute && may('attribute:delete') && <DeleteAttribute attribute={attribute} />}
    >
      <Loaded query={query}>{(loaded) => <EditAttribute key={loaded.name} attribute={loaded} />}</Loaded>
    </Page>
  );
}
