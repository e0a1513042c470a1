import { CircleUser, KeyRound, Link2, MonitorSmartphone, Plug, ShieldCheck, type LucideIcon } from 'lucide-react';

/** Icons of the account pages, by the name that `pages.ts` gives a page. */
export const accountIcons: Readonly<Record<string, LucideIcon>> = {
  profile: CircleUser,
  security: KeyRound,
  mfa: ShieldCheck,
  identities: Link2,
  sessions: MonitorSmartphone,
  applications: Plug,
};
