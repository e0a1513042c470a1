import { normalizeDomain } from '../../users';

/** Hosts whose addresses belong to anyone who asks for one. No organization can prove them, so a claim is a mistake. */
const PUBLIC_MAIL_HOSTS: ReadonlySet<string> = new Set([
  '126.com',
  '139.com',
  '163.com',
  'aliyun.com',
  'aol.com',
  'foxmail.com',
  'gmail.com',
  'gmx.de',
  'gmx.net',
  'googlemail.com',
  'hotmail.com',
  'icloud.com',
  'live.com',
  'mail.com',
  'mail.ru',
  'me.com',
  'msn.com',
  'naver.com',
  'outlook.com',
  'proton.me',
  'protonmail.com',
  'qq.com',
  'sina.cn',
  'sina.com',
  'sohu.com',
  'vip.qq.com',
  'web.de',
  'yahoo.co.jp',
  'yahoo.com',
  'yandex.ru',
  'yeah.net',
]);

/** The rule that the text breaks as a domain to claim; undefined if it breaks none. */
export function domainProblem(text: string): string | undefined {
  const domain = normalizeDomain(text);
  if (domain === undefined) return 'domain';
  return PUBLIC_MAIL_HOSTS.has(domain) ? 'domain_not_allowed' : undefined;
}
