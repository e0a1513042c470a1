import { Injectable } from '@nestjs/common';
import { SettingsReader } from '../../../platform/settings';
import { needsTls, readSmtpAccount } from './smtp-account';

/** The mail server as it is set up, without what is secret of it. */
@Injectable()
export class MailSetup {
  constructor(private readonly settings: SettingsReader) {}

  /** `isProtected`: mail goes over TLS or not at all. undefined: there is no server, or not all of it. */
  async look(): Promise<{ host: string; port: number; isProtected: boolean } | undefined> {
    const account = await readSmtpAccount(this.settings);
    return account && { host: account.host, port: account.port, isProtected: account.secure || needsTls(account) };
  }
}
