/** Spellings of one identifier, as keyboards, lists of contacts and clipboards make them. */
export const emailSpellings = (email: string): string[] => [
  ` ${email}`,
  `${email} `,
  `${email}\n`,
  email.replace('@', '＠'),
  email.replace('.com', '。com'),
  `\u202a${email}\u202c`,
  `\ufeff${email}\u200b`,
  `mailto:${email}`,
  `${email}，`,
  email.replace('.com', '\u2060.com'),
  email.replace('@', '﹫'),
];
export const phoneSpellings = (phone: string): string[] => {
  const national = phone.replace('+86', '');
  const groups = [national.slice(0, 3), national.slice(3, 7), national.slice(7)];
  return [
    national,
    ` ${phone} `,
    `tel:${phone}`,
    groups.join('\u00a0'),
    groups.join('\u2011'),
    groups.join('/'),
    groups.join('・'),
    groups.join('−'),
    groups.join('\t'),
    `（＋８６）${national}`,
    `sms:${phone}`,
    `${national}。`,
    `\u202d+86 ${groups.join(' ')}\u202c`,
    `\u2066${national}\u2069`,
    Array.from(national, (digit) => String.fromCodePoint(0xff10 + Number(digit))).join(''),
    Array.from(national, (digit) => String.fromCodePoint(0x660 + Number(digit))).join(''),
  ];
};
export const nameSpellings = (username: string): string[] => [
  `${username} `,
  ` ${username.toUpperCase()}`,
  `${username}\u200b`,
  `\u3000${username}\u2003`,
  `\u200e${username}\u2060`,
  username.replace('_', '＿').replace('e', '\u00ade'),
  Array.from(username, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)).join(''),
];
