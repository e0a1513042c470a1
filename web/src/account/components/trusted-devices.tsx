import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client';
import type { components } from '../../api/schema';
import { deviceName } from '../../session/device-name';
import { timeOf } from '../../shared/time';
import { ask } from '../dialogs';
import { useSubmit } from '../use-submit';
import { useLoad } from '../use-load';
import { Button } from './button';
import { Card, Cards } from './card';
import { Loaded } from './loaded';

type TrustedDevice = components['schemas']['TrustedDeviceDto'];

interface DeviceCardProps {
  readonly trusted: TrustedDevice;
  readonly onRevoked: () => Promise<void>;
}

function DeviceCard({ trusted, onRevoked }: DeviceCardProps): ReactNode {
  const { t } = useTranslation();
  const act = useSubmit();
  const what = deviceName(trusted, t('sessions.unknown'));
  const revoke = async (): Promise<void> => {
    const text = t('trusted.revoke_ask', { what });
    if (!(await ask({ title: t('trusted.revoke'), text, confirm: t('trusted.revoke') }))) return;
    const params = { path: { id: trusted.id } };
    if (await act.run(() => api.DELETE('/api/auth/mfa/trusted-devices/{id}', { params }), t('trusted.revoked'))) {
      await onRevoked();
    }
  };
  const since = t('trusted.since', { time: timeOf(trusted.created_at), ip: trusted.ip });
  const used = trusted.last_used_at ? t('mfa.used', { time: timeOf(trusted.last_used_at) }) : '';
  return (
    <Card title={what} lines={[`${since} ${used}`]}>
      <Button busy={act.busy} label={t('trusted.revoke_of', { what })} onClick={revoke}>
        {t('trusted.revoke')}
      </Button>
    </Card>
  );
}

/** Browsers that skip the second step. */
export function TrustedDevices(): ReactNode {
  const { t } = useTranslation();
  const devices = useLoad(() => api.GET('/api/auth/mfa/trusted-devices'));
  return (
    <section>
      <h2>{t('trusted.title')}</h2>
      <p className="lead">{t('trusted.lead')}</p>
      <Loaded query={devices}>
        {({ items }) =>
          items.length === 0 ? (
            <p>{t('trusted.none')}</p>
          ) : (
            <Cards>
              {items.map((trusted) => (
                <DeviceCard key={trusted.id} trusted={trusted} onRevoked={devices.reload} />
              ))}
            </Cards>
          )
        }
      </Loaded>
    </section>
  );
}
