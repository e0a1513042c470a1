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

/** A mail server and who we are there. */
export interface SmtpAccount {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte, else STARTTLS. */
  readonly secure: boolean;
  /** What we call ourselves in EHLO (RFC 5321 §4.1.1.1). */
  readonly name: string;
  /** Empty: no login. */
  readonly username: string;
  readonly password: string;
  readonly sender: Sender;
}

/** The account as it is set up; undefined where it is not, or not completely. */
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

/** Many servers take no mail from one that calls itself by the name of a container. */
const domainOf = ({ address }: Sender): string => address.slice(address.lastIndexOf('@') + 1);

/** Whether mail may go only where the server proved itself: a password never goes over an open line to another machine. */
export function needsTls({ host, port, username }: SmtpAccount): boolean {
  return port === SUBMISSION_PORT || (username !== '' && !isLoopbackName(host));
}
