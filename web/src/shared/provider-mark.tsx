import type { ReactNode } from 'react';
import alipay from 'simple-icons/icons/alipay.svg';
import apple from 'simple-icons/icons/apple.svg';
import gitee from 'simple-icons/icons/gitee.svg';
import github from 'simple-icons/icons/github.svg';
import gitlab from 'simple-icons/icons/gitlab.svg';
import google from 'simple-icons/icons/google.svg';
import openid from 'simple-icons/icons/openid.svg';
import qq from 'simple-icons/icons/qq.svg';
import wechat from 'simple-icons/icons/wechat.svg';

/** Addresses of marks by template. */
const marks: Readonly<Record<string, string>> = {
  alipay,
  apple,
  gitee,
  github,
  gitlab,
  google,
  oidc: openid,
  qq,
  wechat,
};

/** The library has no marks of these templates, so letters stand for them. */
const letters: Readonly<Record<string, string>> = {
  dingtalk: 'DT',
  feishu: 'FS',
  microsoft: 'MS',
  oauth2: 'OA',
  wecom: 'WE',
};

interface ProviderMarkProps {
  readonly template: string;
  readonly label: string;
  /** Address of the operator's own picture, if any. */
  readonly icon?: string;
}

/** The operator's picture of a login provider, else the mark or the letters of its template, else the first letter of its label. */
export function ProviderMark({ template, label, icon = '' }: ProviderMarkProps): ReactNode {
  if (icon !== '') return <img src={icon} alt="" />;
  const mark = marks[template];
  if (mark !== undefined) return <img src={mark} alt="" className="provider-mark" />;
  return (
    <span className="provider-letter" aria-hidden>
      {letters[template] ?? Array.from(label)[0]}
    </span>
  );
}
