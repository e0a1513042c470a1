import { Injectable } from '@nestjs/common';
import { SettingsReader } from '../../../platform/settings';
import { mailFrom, smtpHost } from '../delivery.settings';
import { needsTls, readSmtpAccount } from './smtp-account';

/** Where mail goes, or the key of the setting without which it goes nowhere. */
export type MailSight =
  { readonly host: string; readonly port: number; readonly isProtected: boolean } | { readonly missing: string };

/** The mail server as it is set up, without what is secret of it. */
@Injectable()
export class MailSetupService {
  constructor(private readonly settings: SettingsReader) {}

  /** `isProtected`: mail goes over TLS or not at all. undefined: there is no server. */
  async look(): Promise<MailSight | undefined> {
    const account = await readSmtpAccount(this.settings);
    if (account) return { host: account.host, port: account.port, isProtected: account.secure || needsTls(account) };
    if ((await this.settings.get(smtpHost)) !== '') return { missing: mailFrom.key };
    return (await this.settings.get(mailFrom)) === '' ? undefined : { missing: smtpHost.key };
  }
}
