import { alipay, dingtalk, feishu, qq, wechat, wecom } from './chinese-vendors';
import { Vendor } from './exchange';
import { gitee, github, gitlab, oauth2 } from './oauth-vendors';
import { apple, google, microsoft, oidc } from './oidc-vendors';

export const vendors: readonly Vendor[] = [
  github,
  google,
  microsoft,
  gitlab,
  gitee,
  apple,
  feishu,
  dingtalk,
  wecom,
  wechat,
  qq,
  alipay,
  oauth2,
  oidc,
];
