import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import { Field, Submit } from '../../ui-basic/fields';
import { Form } from '../../session/form';
import { timeOf } from '../../shared/time';
import { rememberMe, useMe } from '../me';
import { AvatarChoice } from '../components/avatar-choice';
import { Contacts } from '../components/contacts';
import { OwnAttributes } from '../components/own-attributes';
import { OwnOrganizations } from '../components/own-organizations';
import { Page } from '../components/page';
import { PictureUpload } from '../components/picture-upload';
import { useSubmit } from '../use-submit';

function NameCard(): ReactNode {
  const { t } = useTranslation();
  const me = useMe();
  const act = useSubmit();
  const [nickname, setNickname] = useState(me.nickname);
  const [chosen, setChosen] = useState<string>();
  const save = async (): Promise<void> => {
    const body = { nickname, ...(chosen !== undefined && { avatar: chosen }) };
    const answer = await act.run(() => api.PATCH('/api/auth/me', { body }), t('act.saved'));
    if (!answer?.data) return;
    rememberMe(answer.data);
    setChosen(undefined);
  };
  return (
    <section className="card">
      <div className="row person">
        <img src={me.avatar} alt="" width={56} height={56} className="picture" />
        <div className="wrap">
          <strong>{me.nickname === '' ? me.username : me.nickname}</strong>
          <p className="hint">{me.username}</p>
        </div>
        <PictureUpload
          onDone={() => {
            setChosen(undefined);
          }}
        />
      </div>
      <Form act={act} onSubmit={save}>
        <Field
          label={t('field.nickname')}
          value={nickname}
          error={act.fields['nickname']}
          maxLength={50}
          onChange={setNickname}
        />
        <AvatarChoice
          current={me.avatar}
          value={chosen ?? me.avatar}
          error={act.fields['avatar']}
          onChange={setChosen}
        />
        <Submit busy={act.busy}>{t('act.save')}</Submit>
      </Form>
    </section>
  );
}

function AcceptedTerms(): ReactNode {
  const { t } = useTranslation();
  const { terms_version: version, terms_accepted_at: acceptedAt } = useMe();
  if (version === null || acceptedAt === null) return null;
  return <p className="hint">{t('profile.accepted_terms', { version, time: timeOf(acceptedAt) })}</p>;
}

export function ProfilePage(): ReactNode {
  const { t } = useTranslation();
  return (
    <Page wide title={t('nav.profile')} lead={t('profile.lead')}>
      <div className="columns">
        <NameCard />
        <Contacts />
      </div>
      <OwnAttributes />
      <OwnOrganizations />
      <AcceptedTerms />
    </Page>
  );
}
