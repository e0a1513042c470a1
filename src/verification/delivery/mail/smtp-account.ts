import { SettingsReader } from '../../../platform/settings';
import { isLoopbackName, readSender, Sender } from '../addresses';
import {
  mailFrom,
  smtpHost,
  smtpPassword,
  smtpPort,
  smtpSecure,
  smtpUsername,
  SUBMISSION_PORT,
} from '../delivery.settings';

/** A mail server and who we are there. */
export interface SmtpAccount {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte, else STARTTLS. */
  readonly secure: boolean;
  /** Empty: no login. */
  readonly username: string;
  readonly password: string;
  readonly sender: Sender;
}

/** The account as it is set up; undefined where it is not, or not completely. */
export async function readSmtpAccount(settings: SettingsReader): Promise<SmtpAccount | undefined> {
  const [host, port, secure, username, password, from] = await Promise.all([
    settings.get(smtpHost),
    settings.get(smtpPort),
    settings.get(smtpSecure),
    settings.get(smtpUsername),
    settings.get(smtpPassword),
    settings.get(mailFrom),
  ]);
  const sender = readSender(from === '' ? username : from);
  return host === '' || !sender ? undefined : { host, port, secure, username, password, sender };
}

/** Whether mail may go only where the server proved itself: a password never goes over an open line to another machine. */
export function needsTls({ host, port, username }: SmtpAccount): boolean {
  return port === SUBMISSION_PORT || (username !== '' && !isLoopbackName(host));
}
