import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import type { components } from '../../api/schema';
import { demandOf } from '../../shared/demand';
import type { Info } from '../../shared/info';
import { timeOf } from '../../shared/time';
import { applyBranding } from '../../ui-basic/branding';
import { clearInvitation, invitationToken } from '../invitation-token';
import { Asking } from '../components/asking';
import { Form } from '../components/form';
import { Page } from '../components/page';
import { RegisterForm, type Registered } from '../components/register-form';
import { useSubmit, type Submission } from '../use-submit';

type Invitation = components['schemas']['OpenInvitationDto'];
type Look = components['schemas']['OrganizationLookDto'];

interface Found {
  /** Undefined: the link is not valid, or no longer. */
  readonly invitation: Invitation | undefined;
  /** Undefined without a login. */
  readonly username?: string | undefined;
}

/** The login comes back to this page. */
const LOGIN = '/login?redirect=%2Finvitation';
/** As `LOGIN`, for a user who is logged in but has something to do first. */
const DEMAND = `${LOGIN}&logged_in`;
/** Goes on as after a login. */
const HOME = '/login?logged_in';

/** With what the organization shows beside the name and the links of the service. */
function withLook(info: Info, look: Look | null): Info {
  if (!look) return info;
  const { branding } = info;
  const { logo, primary_color } = look;
  const logo_dark = logo === branding.logo ? branding.logo_dark : '';
  const own = (name: 'terms' | 'privacy' | 'support'): string => (look[name] === branding[name] ? '' : look[name]);
  const organization = {
    name: look.name === info.name ? '' : look.name,
    terms: own('terms'),
    privacy: own('privacy'),
    support: own('support'),
  };
  return { ...info, organization, branding: { ...branding, logo, logo_dark, primary_color } };
}

async function findLogin(): Promise<string | undefined> {
  const { data } = await api.GET('/api/auth/me');
  return data?.username;
}

function Details({ invitation }: { readonly invitation: Invitation }): ReactNode {
  const { t } = useTranslation();
  const { organization, contact, expires_at: expiresAt } = invitation;
  return (
    <p className="sides">
      {organization.logo && <img src={organization.logo} alt="" />}
      <span>{t('invitation.details', { contact, time: timeOf(expiresAt) })}</span>
    </p>
  );
}

interface AcceptProps {
  readonly token: string;
  readonly username: string;
  readonly onDone: () => void;
}

function Accept({ token, username, onDone }: AcceptProps): ReactNode {
  const { t } = useTranslation();
  const submission = useSubmit();
  const accept = async (): Promise<void> => {
    const answer = await submission.send(
      () => api.POST('/api/invitation/accept', { body: { token } }),
      (problem) => {
        const isDue = demandOf(problem) !== undefined;
        if (isDue) location.assign(DEMAND);
        return isDue;
      },
    );
    if (answer) onDone();
  };
  return (
    <>
      <Form submission={submission} action={t('invitation.accept_as', { username })} onSubmit={() => void accept()} />
      <p className="links">
        <a href={LOGIN}>{t('invitation.log_in_again')}</a>
      </p>
    </>
  );
}

function Choice({ exists, onRegister }: { readonly exists: boolean; readonly onRegister: () => void }): ReactNode {
  const { t } = useTranslation();
  const [login, register] = exists ? ['primary', 'secondary'] : ['secondary', 'primary'];
  const links = [
    <a key="login" className={login} href={LOGIN}>
      {t('login.submit')}
    </a>,
    <button key="register" type="button" className={register} onClick={onRegister}>
      {t('register.title')}
    </button>,
  ];
  return <div className="others">{exists ? links : links.reverse()}</div>;
}

function Invalid({ info }: { readonly info: Info }): ReactNode {
  const { t } = useTranslation();
  return (
    <Page info={info} title={t('invitation.title')} lead={t('invitation.invalid')}>
      <a className="primary" href="/login">
        {t('login.submit')}
      </a>
    </Page>
  );
}

interface JoinedProps {
  readonly info: Info;
  readonly organization: string;
  readonly isLoggedIn: boolean;
}

function Joined({ info, organization, isLoggedIn }: JoinedProps): ReactNode {
  const { t } = useTranslation();
  const title = t('invitation.joined', { organization });
  return (
    <Page info={info} title={title} lead={isLoggedIn ? undefined : t('invitation.log_in_to_continue')}>
      <a className="primary" href={isLoggedIn ? HOME : '/login'}>
        {t(isLoggedIn ? 'invitation.go_on' : 'login.submit')}
      </a>
    </Page>
  );
}

interface NewcomerProps {
  readonly info: Info;
  readonly token: string;
  readonly accountExists: boolean;
  readonly onDone: (registered: Registered) => void;
}

/** A visitor without a login, who has an account or creates one. */
function Newcomer({ info, token, accountExists, onDone }: NewcomerProps): ReactNode {
  const { t } = useTranslation();
  const [registering, setRegistering] = useState(false);
  if (!registering) {
    return (
      <Choice
        exists={accountExists}
        onRegister={() => {
          setRegistering(true);
        }}
      />
    );
  }
  return (
    <>
      <RegisterForm info={info} invitation={token} onDone={onDone} />
      <p className="links">
        <a href={LOGIN}>{t('register.have_account')}</a>
      </p>
    </>
  );
}

/** Shows an invitation to an organization, and accepts it with the user's account or a new one. */
export function InvitationPage({ info }: { readonly info: Info }): ReactNode {
  const { t } = useTranslation();
  const [found, setFound] = useState<Found>();
  const [joined, setJoined] = useState<{ readonly isLoggedIn: boolean }>();
  const token = invitationToken ?? '';

  const load = async (asking: Submission): Promise<void> => {
    if (invitationToken === undefined) {
      setFound({ invitation: undefined });
      return;
    }
    const answer = await asking.send(
      () => api.POST('/api/invitation/show', { body: { token } }),
      ({ status }) => {
        const isUnknown = status === 404;
        if (isUnknown) setFound({ invitation: undefined });
        return isUnknown;
      },
    );
    if (!answer?.data) return;
    applyBranding(withLook(info, answer.data.look).branding);
    const login = await asking.find(findLogin);
    if (login) setFound({ invitation: answer.data, username: login.data });
  };
  const finish = ({ isLoggedIn }: { readonly isLoggedIn: boolean }): void => {
    clearInvitation();
    setJoined({ isLoggedIn });
  };

  if (!found) return <Asking info={info} title={t('invitation.title')} ask={load} />;
  const { invitation, username } = found;
  if (!invitation) return <Invalid info={info} />;
  const { name: organization } = invitation.organization;
  const shown = withLook(info, invitation.look);
  if (joined) return <Joined info={shown} organization={organization} {...joined} />;
  const { inviter } = invitation;
  const lead = inviter === null ? t('invitation.lead') : t('invitation.lead_by', { inviter });
  return (
    <Page info={shown} title={t('invitation.join', { organization })} lead={lead}>
      <Details invitation={invitation} />
      {username === undefined ? (
        <Newcomer info={shown} token={token} accountExists={invitation.account_exists} onDone={finish} />
      ) : (
        <Accept
          token={token}
          username={username}
          onDone={() => {
            finish({ isLoggedIn: true });
          }}
        />
      )}
    </Page>
  );
}
