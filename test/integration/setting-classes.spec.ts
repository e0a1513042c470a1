import '../../src';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { declaredSettings, Setting } from '../../src/platform/settings';

type Class = 'guarded' | 'sensitive' | 'free';

/**
 * Every setting, classified by hand. A setting is guarded when it can affect who is authenticated, or grant a session,
 * a permission or a code. Give the reason in docs/access-classes.md.
 */
const classes: Readonly<Record<Class, readonly string[]>> = {
  guarded: [
    'app.background_image',
    'app.custom_css',
    'email.from',
    'email.smtp.host',
    'email.smtp.name',
    'email.smtp.password',
    'email.smtp.port',
    'email.smtp.secure',
    'email.smtp.username',
    'jwt.cookie_domain',
    'jwt.cookie_path',
    'jwt.cookie_prefix',
    'jwt.cookie_same_site',
    'jwt.share_refresh_cookie',
    'mfa.policy',
    'mfa.trusted_device_days',
    'register.default_role',
    'security.allow_private_providers',
    'security.allowed_origins',
    'security.ip_failure_threshold',
    'security.lockout_seconds',
    'security.lockout_threshold',
    'security.lockout_window_seconds',
    'security.rate_limits_enabled',
    'session.act_as_enabled',
    'session.recent_login_seconds',
    'sms.aliyun.access_key_id',
    'sms.aliyun.access_key_secret',
    'sms.aliyun.endpoint',
    'sms.aliyun.sign_name',
    'sms.aliyun.template_code',
    'sms.allowed_prefixes',
    'sms.default_region',
    'sms.fallback_provider',
    'sms.http.secret',
    'sms.http.url',
    'sms.provider',
    'sms.tencent.app_id',
    'sms.tencent.endpoint',
    'sms.tencent.region',
    'sms.tencent.secret_id',
    'sms.tencent.secret_key',
    'sms.tencent.sign_name',
    'sms.tencent.template_id',
    'sms.twilio.account_sid',
    'sms.twilio.auth_token',
    'sms.twilio.endpoint',
    'sms.twilio.from',
  ],
  sensitive: [
    'app.favicon',
    'app.logo',
    'app.logo_dark',
    'app.privacy',
    'app.support',
    'app.terms',
    'app.time_zone',
    'audit.retention_days',
    'code.day_starts_at',
    'code.length',
    'code.max_attempts',
    'code.max_daily_count',
    'code.max_hourly_per_ip',
    'code.max_hourly_per_prefix',
    'code.max_hourly_total',
    'code.resend_seconds',
    'code.ttl_seconds',
    'delivery.max_hourly_notices',
    'delivery.retention_days',
    'jwt.access_ttl_seconds',
    'jwt.refresh_ttl_seconds',
    'jwt.version_grace_seconds',
    'oauth.dpop',
    'oauth.par',
    'oauth.refresh_grace_seconds',
    'profile.contact_code_required',
    'profile.deletion_grace_days',
    'rate.account_exports_per_hour_user',
    'rate.admin_writes_per_minute_user',
    'rate.authorize_per_minute_ip',
    'rate.avatar_uploads_per_hour_user',
    'rate.invitations_per_day_contact',
    'rate.invitations_per_day_organization',
    'rate.invitations_per_day_organization_contact',
    'rate.member_notices_per_day_organization',
    'rate.member_notices_per_day_user',
    'rate.oauth_per_minute_ip',
    'rate.passkey_options_per_minute_ip',
    'rate.passkey_options_per_minute_user',
    'rate.refresh_per_minute_session',
    'rate.register_per_hour_ip',
    'rate.search_per_minute_user',
    'rate.token_per_minute_client',
    'register.contact_required',
    'register.email_code_required',
    'register.enabled',
    'register.phone_code_required',
    'register.terms_at_login',
    'register.terms_required',
    'register.terms_version',
    'security.external_avatars',
    'security.hsts_include_subdomains',
    'security.reject_common_passwords',
    'session.absolute_ttl_seconds',
  ],
  free: [
    'app.background_color',
    'app.corner_radius',
    'app.default_locale',
    'app.font',
    'app.name',
    'app.primary_color',
    'app.setup_finished',
    'register.first_field',
    'session.max_per_user',
    'session.notify_new_device',
  ],
};

function classOf({ guarded, sensitive }: Setting): Class {
  if (guarded) return 'guarded';
  return sensitive ? 'sensitive' : 'free';
}

describe('settings', () => {
  it.each(['guarded', 'sensitive', 'free'] as const)('are %s exactly as classified', (wanted) => {
    const found = declaredSettings().filter((setting) => classOf(setting) === wanted);
    expect(found.map(({ key }) => key).sort()).toEqual(classes[wanted]);
  });

  it('require a recent login when guarded', () => {
    const lax = declaredSettings().filter(({ guarded, sensitive }) => guarded && !sensitive);
    expect(lax).toEqual([]);
  });

  it('are in the table of settings, by key or as a group', () => {
    const document = readFileSync(join(__dirname, '../../docs/access-classes.md'), 'utf8');
    const section = document.split('\n## Settings\n')[1]?.split('\n## ')[0] ?? '';
    const named = Array.from(section.matchAll(/`([a-z_.]+(?:\.\*|[a-z_]\*?))`/g), ([, name = '']) => name);
    const isNamed = (key: string): boolean =>
      named.some((name) => (name.endsWith('*') ? key.startsWith(name.slice(0, -1)) : key === name));
    expect(declaredSettings().filter(({ key }) => !isNamed(key))).toEqual([]);
  });
});
