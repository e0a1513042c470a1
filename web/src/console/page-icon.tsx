import {
  Activity,
  AppWindow,
  Building2,
  ChartColumn,
  FileKey,
  Fingerprint,
  HeartPulse,
  ListChecks,
  LockKeyhole,
  LogIn,
  Mail,
  Network,
  Palette,
  ScrollText,
  Send,
  Settings,
  Tags,
  UserCog,
  Users,
  Webhook,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { accountIcons } from '../session/account-icons';

/** By the name that `pages.ts` gives a page. */
const icons: Readonly<Record<string, LucideIcon>> = {
  ...accountIcons,
  organizations: Building2,
  dashboard: ChartColumn,
  setup: ListChecks,
  users: Users,
  attributes: Tags,
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
