import {
  Activity,
  AppWindow,
  Building2,
  ChartColumn,
  CircleUser,
  FileKey,
  Fingerprint,
  HeartPulse,
  KeyRound,
  Link2,
  ListChecks,
  LockKeyhole,
  LogIn,
  Mail,
  MonitorSmartphone,
  Network,
  Palette,
  Plug,
  ScrollText,
  Send,
  Settings,
  ShieldCheck,
  UserCog,
  Users,
  Webhook,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';

/** By the name that `pages.ts` gives a page. */
const icons: Readonly<Record<string, LucideIcon>> = {
  profile: CircleUser,
  security: KeyRound,
  mfa: ShieldCheck,
  identities: Link2,
  sessions: MonitorSmartphone,
  applications: Plug,
  organizations: Building2,
  dashboard: ChartColumn,
  setup: ListChecks,
  users: Users,
  roles: UserCog,
  groups: Network,
  permissions: LockKeyhole,
  settings: Settings,
  sign_in: Palette,
  login_methods: LogIn,
  providers: Fingerprint,
  clients: AppWindow,
  templates: Mail,
  deliveries: Send,
  audit: ScrollText,
  events: Activity,
  webhooks: Webhook,
  signing_keys: FileKey,
  doctor: HeartPulse,
};

/** The icon of a page, by the name of the page. */
export function PageIcon({ name }: { readonly name: string }): ReactNode {
  const Icon = icons[name];
  return Icon && <Icon />;
}
