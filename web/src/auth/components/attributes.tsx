import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import type { Problem } from '../../api/problem';
import { AttributeField } from '../../ui-basic/attribute-field';
import {
  fieldName,
  valuesOf,
  type AttributeField as Attribute,
  type TypedAttributes,
  type ValueToSend,
} from '../../shared/attributes';
import type { Info } from '../../shared/info';
import { useRefreshInfo } from '../current-info';
import { useSubmit, type Submission } from '../use-submit';
import { Asking } from './asking';
import { Form } from './form';
import { Page } from './page';
import { StartAgain } from './start-again';

interface AttributeInputsProps {
  readonly attributes: readonly Attribute[];
  readonly typed: TypedAttributes;
  readonly onChange: (typed: TypedAttributes) => void;
  readonly errors: Submission['fields'];
}

function AttributeInputs({ attributes, typed, onChange, errors }: AttributeInputsProps): ReactNode {
  return attributes.map((attribute) => (
    <AttributeField
      key={attribute.name}
      attribute={attribute}
      value={typed[attribute.name] ?? ''}
      onChange={(text) => {
        onChange({ ...typed, [attribute.name]: text });
      }}
      error={errors[fieldName(attribute)]}
    />
  ));
}

interface AttributesOfRegistration {
  readonly inputs: ReactNode;
  /** As the service wants them. Empty: it asks for none. */
  readonly given: { readonly attributes?: Record<string, ValueToSend> };
  /** Shows the current fields if one is rejected that the form does not have yet. */
  readonly handle: (problem: Problem) => void;
}

/** The attributes that a registration must give. */
export function useAttributes(info: Info, submission: Submission): AttributesOfRegistration {
  const refresh = useRefreshInfo();
  const [typed, setTyped] = useState<TypedAttributes>({});
  const { attributes } = info.registration;
  const known = new Set(attributes.map(fieldName));
  return {
    inputs: <AttributeInputs attributes={attributes} typed={typed} onChange={setTyped} errors={submission.fields} />,
    given: attributes.length > 0 ? { attributes: valuesOf(attributes, typed) } : {},
    handle: ({ errors = [] }) => {
      const isOutdated = errors.some(({ field }) => field.startsWith('attributes.') && !known.has(field));
      // The next attempt reloads them, too, if this fails.
      if (isOutdated) refresh().catch(() => undefined);
    },
  };
}

interface DueAttributesProps {
  readonly info: Info;
  readonly onDone: () => void;
}

/** Asks a user who is logged in for the required attributes that have no value. */
export function DueAttributes({ info, onDone }: DueAttributesProps): ReactNode {
  const { t } = useTranslation();
  const submission = useSubmit();
  const [missing, setMissing] = useState<readonly Attribute[]>();
  const [typed, setTyped] = useState<TypedAttributes>({});
  const find = async (asking: Submission): Promise<void> => {
    const me = await asking.send(() => api.GET('/api/auth/me'));
    const listed = me && (await asking.send(() => api.GET('/api/auth/me/attribute')));
    if (!me?.data || !listed?.data) return;
    const { attributes } = me.data;
    const due = listed.data.items.filter(
      ({ name, required }) => required === 'login' && attributes[name] === undefined,
    );
    if (due.length === 0) onDone();
    else setMissing(due);
  };
  const title = t('attribute.title');
  if (!missing) {
    return (
      <Asking info={info} title={title} ask={find}>
        <StartAgain />
      </Asking>
    );
  }
  const save = async (): Promise<void> => {
    const body = { attributes: valuesOf(missing, typed) };
    if (await submission.send(() => api.PATCH('/api/auth/me', { body }))) onDone();
  };
  return (
    <Page info={info} title={title} lead={t('attribute.lead')}>
      <Form submission={submission} action={t('login.go_on')} onSubmit={() => void save()}>
        <AttributeInputs attributes={missing} typed={typed} onChange={setTyped} errors={submission.fields} />
      </Form>
      <StartAgain />
    </Page>
  );
}
