import { SettingsReader } from '../../../platform/settings';
import { isLoopbackName, readSender, Sender } from '../addresses';
import {
  mailFrom,
  smtpHost,
  smtpName,
  smtpPassword,
  smtpPort,
  smtpSecure,
  smtpUsername,
  SUBMISSION_PORT,
} from '../delivery.settings';

/** A mail server and the account to use on it. */
export interface SmtpAccount {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte. Otherwise STARTTLS. */
  readonly secure: boolean;
  /** The host name for EHLO (RFC 5321 §4.1.1.1). */
  readonly name: string;
  /** Empty: no authentication. */
  readonly username: string;
  readonly password: string;
  readonly sender: Sender;
}

/** Reads the configured account. Undefined if the settings are incomplete. */
export async function readSmtpAccount(settings: SettingsReader): Promise<SmtpAccount | undefined> {
  const [host, port, secure, name, username, password, from] = await Promise.all([
    settings.get(smtpHost),
    settings.get(smtpPort),
    settings.get(smtpSecure),
    settings.get(smtpName),
    settings.get(smtpUsername),
    settings.get(smtpPassword),
    settings.get(mailFrom),
  ]);
  const sender = readSender(from === '' ? username : from);
  if (host === '' || !sender) return undefined;
  return { host, port, secure, name: name || domainOf(sender), username, password, sender };
}

/** Many servers reject clients that give a container's name in EHLO. */
const domainOf = ({ address }: Sender): string => address.slice(address.lastIndexOf('@') + 1);

/** Whether TLS with a valid certificate is required. A password is never sent unencrypted to another machine. */
export function needsTls({ host, port, username }: SmtpAccount): boolean {
  return port === SUBMISSION_PORT || (username !== '' && !isLoopbackName(host));
}
