import { Injectable } from '@nestjs/common';
import { SettingsReader } from '../../../platform/settings';
import { mailFrom, smtpHost } from '../delivery.settings';
import { needsTls, readSmtpAccount } from './smtp-account';

/** The configured mail server, or the key of the missing setting. */
export type MailStatus =
  { readonly host: string; readonly port: number; readonly isProtected: boolean } | { readonly missing: string };

/** The configured mail server without its secrets. */
@Injectable()
export class MailSetupService {
  constructor(private readonly settings: SettingsReader) {}

  /** `isProtected`: TLS is required. Undefined: no server is configured. */
  async look(): Promise<MailStatus | undefined> {
    const account = await readSmtpAccount(this.settings);
    if (account) return { host: account.host, port: account.port, isProtected: account.secure || needsTls(account) };
    if ((await this.settings.get(smtpHost)) !== '') return { missing: mailFrom.key };
    return (await this.settings.get(mailFrom)) === '' ? undefined : { missing: smtpHost.key };
  }
}
