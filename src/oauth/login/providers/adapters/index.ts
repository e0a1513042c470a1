import { OAuthProviderAdapter } from '../oauth-provider-adapter';
import { AlipayAdapter, DingtalkAdapter } from './alibaba-presets';
import { FeishuAdapter } from './feishu.adapter';
import { OidcAdapter } from './oidc.adapter';
import { AppleAdapter, GoogleAdapter, MicrosoftAdapter } from './oidc-presets';
import { QqAdapter, WechatAdapter, WecomAdapter } from './tencent-presets';
import { GiteeAdapter, GithubAdapter, GitlabAdapter, OAuth2Adapter } from './western-presets';

/** The built-in provider templates, in the order of the API's list. */
export const builtInAdapters: readonly (new () => OAuthProviderAdapter)[] = [
  GithubAdapter,
  GoogleAdapter,
  MicrosoftAdapter,
  GitlabAdapter,
  GiteeAdapter,
  AppleAdapter,
  FeishuAdapter,
  DingtalkAdapter,
  WecomAdapter,
  WechatAdapter,
  QqAdapter,
  AlipayAdapter,
  OAuth2Adapter,
  OidcAdapter,
];
