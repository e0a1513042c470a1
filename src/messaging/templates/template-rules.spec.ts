import fc from 'fast-check';
import { smsSegments } from './sms-segments';
import { TemplateContent, TemplateKey } from './template';
import { templateProblems } from './template-rules';

const login: TemplateKey = { channel: 'email', purpose: 'login', locale: 'en' };
const loginSms: TemplateKey = { ...login, channel: 'sms' };
const notice: TemplateKey = { ...login, purpose: 'new_device' };
const invitation: TemplateKey = { ...login, purpose: 'invitation' };

const broken = (key: TemplateKey, content: Partial<TemplateContent>): string[] =>
  templateProblems(key, { subject: null, text: 'Code: {code}', html: null, providerTemplate: null, ...content }).map(
    ({ field, code }) => `${field} ${code}`,
  );

describe('templateProblems', () => {
  it.each<[TemplateKey, Partial<TemplateContent>]>([
    [login, {}],
    [login, { subject: 'For {username} of {app}', html: '<p>{code}</p>' }],
    [
      login,
      {
        html: '<p>Hi&nbsp;{username}&comma; &uuml;ber {app} &amp; all:<br>{code}</p><table><tr><td>x</td><td>{code}</td></tr></table>',
      },
    ],
    [login, { html: '<p>Code:&nbsp;<b>{code}</b>&nbsp;(&#8222;{code}&ldquo;)</p><p>x</p>{code}<p>x</p>' }],
    [login, { text: 'Line\n\n{code}\n\t{minutes}' }],
    [loginSms, { providerTemplate: 'SMS_1', text: '验证码为{code}，{minutes} 分钟内有效。' }],
    [loginSms, { text: '({code}) "{code}": {code}. {code}, [{code}]!' }],
    [notice, { text: '{device} {ip} {time} {username} {app}' }],
    [notice, { text: 'See https://example.com/help' }],
    [invitation, { text: '{inviter} {organization} {app} {expires}: {link}', html: '<p>{link}</p>' }],
  ])('accepts for %j the content %j', (key, content) => {
    expect(broken(key, content)).toEqual([]);
  });

  it.each<[string, TemplateKey, Partial<TemplateContent>, string]>([
    ['an unknown placeholder', login, { text: '{code} {ip}' }, 'text unknown_placeholder'],
    ['an unknown placeholder in a subject', login, { subject: '{password}' }, 'subject unknown_placeholder'],
    ['an unknown placeholder in HTML', login, { html: '<p>{code} {x}</p>' }, 'html unknown_placeholder'],
    ['a code in a notice', notice, { text: '{code}' }, 'text unknown_placeholder'],
    ['a text without the code', login, { text: 'Hello' }, 'text code_missing'],
    ['HTML without the code', login, { html: '<p>Hello</p>' }, 'html code_missing'],
    ['the code in the subject', login, { subject: 'Code {code}' }, 'subject code_in_subject'],
    ['an invitation without the link', invitation, { text: 'Hello' }, 'text link_missing'],
    ['HTML without the link', invitation, { text: '{link}', html: '<p>Hello</p>' }, 'html link_missing'],
    ['the link in another link', invitation, { text: 'https://evil.example/?{link}' }, 'text link_in_link'],
    ['the link beside a placeholder', invitation, { text: '{inviter}{link}' }, 'text link_in_link'],
    ['the link in the subject', invitation, { text: '{link}', subject: '{link}' }, 'subject link_in_subject'],
    ['a subject with two lines', login, { subject: 'a\nBcc: b' }, 'subject no_control_characters'],
    ['control characters', login, { text: '{code}\u0007' }, 'text no_control_characters'],
    ['a blank text', notice, { text: ' \n' }, 'text visible'],
    ['the code as a path', login, { text: 'https://evil.example/{code}' }, 'text code_in_link'],
    ['the code as a host', login, { text: '{code}.evil.example' }, 'text code_in_link'],
    ['the code as a port', login, { text: '{code}:x' }, 'text code_in_link'],
    ['the code before an @', login, { text: '{code}@evil.example' }, 'text code_in_link'],
    ['the code after letters of a URL', login, { text: 'https://evil.example/验证码{code}' }, 'text code_in_link'],
    ['the code in a URL without a scheme', login, { text: 'evil.example/？{code}' }, 'text code_in_link'],
    ['the code in a URL in HTML', login, { html: '<p>https://evil.example/？{code}</p>' }, 'html code_in_link'],
    ['the code after a placeholder, which may be a URL', login, { text: '{app}{code}' }, 'text code_in_link'],
    ['the code before a placeholder, which may end a URL', login, { text: '{code}{app}' }, 'text code_in_link'],
    ['the code in a URL across elements', login, { html: 'https://evil.example/？<b>{code}</b>' }, 'html code_in_link'],
    [
      'the code in a URL across an invisible style',
      login,
      { html: '<p>https://evil.example/？<style>a{}</style>{code}</p>' },
      'html code_in_link',
    ],
    [
      'the code in a URL across an image that may not load',
      login,
      { html: '<p>https://evil.example/？<img src="https://evil.example/x.png">{code}</p>' },
      'html code_in_link',
    ],
    ['the code in a URL across an ignored tag', login, { html: '<p>a.example/？</h1>{code}</p>' }, 'html mail_html'],
    ['the code after a bold letter', login, { html: '<p><b>x</b>{code}</p>' }, 'html code_in_link'],
    [
      'the code in a URL of numeric references',
      login,
      { html: '<p>evil&#46;example&#x2f;？{code}</p>' },
      'html code_in_link',
    ],
    [
      'the code in a URL of named references',
      login,
      { html: '<p>https&colon;&sol;&sol;evil&period;example&sol;？{code}</p>' },
      'html code_in_link',
    ],
    ['the code before a character reference', login, { html: '<p>{code}&#x40;evil</p>' }, 'html code_in_link'],
    ['forbidden HTML', login, { html: '<script>{code}</script>' }, 'html mail_html'],
    ['a subject in an SMS', loginSms, { subject: 'Hello' }, 'subject mail_only'],
    ['HTML in an SMS', loginSms, { html: '<p>{code}</p>' }, 'html mail_only'],
    ["a provider's template in a mail", login, { providerTemplate: 'SMS_1' }, 'provider_template sms_only'],
  ])('rejects %s', (_, key, content, problem) => {
    expect(broken(key, content)).toEqual([problem]);
  });

  it.each(['://', '.aa/', 'www.'])('validates many repetitions of %s in linear time', (piece) => {
    const start = performance.now();
    expect(broken(login, { html: `<p>{code} ${piece.repeat(9_900)}</p>` })).toEqual([]);
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it('rejects every placeholder that its purpose does not have', () => {
    const name = fc
      .stringMatching(/^[A-Za-z_]\w{0,12}$/)
      .filter((text) => !['code', 'minutes', 'app', 'username'].includes(text));
    fc.assert(
      fc.property(name, fc.string(), (unknown, around) => {
        expect(broken(login, { text: `{code} ${around} {${unknown}}` })).toContain('text unknown_placeholder');
      }),
    );
  });
});

describe('smsSegments', () => {
  it.each([
    ['a'.repeat(160), 1],
    ['a'.repeat(161), 2],
    ['a'.repeat(307), 3],
    ['€'.repeat(80), 1],
    ['€'.repeat(81), 2],
    ['码'.repeat(70), 1],
    ['码'.repeat(71), 2],
    ['码'.repeat(135), 3],
    ['a'.repeat(69) + '’', 1],
    ['a'.repeat(70) + '’', 2],
    ['😀'.repeat(35), 1],
    ['😀'.repeat(36), 2],
  ])('%#', (text, segments) => {
    expect(smsSegments(text)).toBe(segments);
  });
});
