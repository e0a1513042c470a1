import { closeGaps } from '../../platform/page-checks';
import { codePurposes, linkPurposes, MessagePurpose } from '../message/message';

const forCodes = ['code', 'minutes', 'app', 'username'] as const;
const forNotices = ['app', 'username', 'time'] as const;

/** The placeholder names that templates of each purpose may use. */
export const placeholders = {
  register: forCodes,
  login: forCodes,
  reset_password: forCodes,
  bind: forCodes,
  password_changed: forNotices,
  email_changed: [...forNotices, 'contact'],
  phone_changed: [...forNotices, 'contact'],
  second_factor_changed: forNotices,
  identity_changed: forNotices,
  webhook_disabled: [...forNotices, 'webhook'],
  acting_started: [...forNotices, 'actor'],
  membership_pending: [...forNotices, 'organization'],
  deletion_requested: [...forNotices, 'due'],
  deletion_cancelled: forNotices,
  deletion_reminder: [...forNotices, 'due'],
  account_deleted: forNotices,
  new_device: [...forNotices, 'device', 'ip'],
  invitation: ['app', 'organization', 'inviter', 'link', 'expires'],
} as const satisfies Record<MessagePurpose, readonly string[]>;

export const isCodePurpose = (purpose: MessagePurpose): boolean => codePurposes.some((code) => code === purpose);

export const isLinkPurpose = (purpose: MessagePurpose): boolean => linkPurposes.some((link) => link === purpose);

const PLACEHOLDER = /\{([A-Za-z_]\w*)\}/g;

/** The placeholder names in a template, in order of first appearance. */
export function placeholdersIn(template: string): string[] {
  return [...new Set(Array.from(template.matchAll(PLACEHOLDER), ([, name = '']) => name))];
}

/**
 * Fills the placeholders. Values are inserted unchanged and not parsed for placeholders. A name without a value is
 * removed, and so is the space between Chinese words and a Chinese value.
 */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  const known = new Map(Object.entries(values));
  const filled = template.replace(PLACEHOLDER, (_, name: string) => known.get(name) ?? '');
  return closeGaps(filled, known.values());
}

const MAX_CHARACTERS = 200;
const BREAKS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Puts the value on one line of limited length, so that it cannot start a header or a paragraph. */
export function plainValue(value: string): string {
  return Array.from(value.toWellFormed().replace(BREAKS, ' ').trim()).slice(0, MAX_CHARACTERS).join('');
}
