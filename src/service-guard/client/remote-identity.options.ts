import type { DynamicModule, InjectionToken, OptionalFactoryDependency, Type } from '@nestjs/common';

/** How the catalogue shows a permission. */
export interface PermissionDescription {
  /** For display, at most 500 characters. */
  readonly description?: string;
  /** Minimum level of a grant, 1–7, for an action without a standard rank. Default 7. */
  readonly requiredLevel?: number;
}

export interface RemoteIdentityOptions {
  /** Address of Castellan, without a path: `https://id.example.com`. It must be one of its allowed hosts. */
  readonly url: string;
  /** OAuth client with the scope `remote_guard:execute` and this service's introspection resource. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** Describes the permissions of the service by `resource:action`, and adds those that no route requires. */
  readonly permissions?: Readonly<Record<string, PermissionDescription>>;
  /** Further origins whose pages may change state with the user's cookie, such as `https://app.example.com`. */
  readonly allowedOrigins?: readonly string[];
  /**
   * Receives the seconds from each change at Castellan to its effect here, by the clocks of both. Record them in a
   * histogram.
   */
  readonly onStaleness?: (seconds: number) => void;
}

export interface RemoteIdentityAsyncOptions {
  readonly imports?: (Type | DynamicModule)[];
  readonly inject?: (InjectionToken | OptionalFactoryDependency)[];
  readonly useFactory: (...injected: never[]) => RemoteIdentityOptions | Promise<RemoteIdentityOptions>;
}

/** Injection token of the options. */
export const REMOTE_IDENTITY_OPTIONS = Symbol('castellan.remote_identity_options');

/** Throws if an option is missing or `url` is no http address without a path. */
export function checkedOptions(options: RemoteIdentityOptions): RemoteIdentityOptions {
  for (const name of ['url', 'clientId', 'clientSecret'] as const) {
    if (typeof options[name] !== 'string' || options[name] === '') {
      throw new Error(`RemoteIdentityModule needs the option ${name}`);
    }
  }
  const url = URL.canParse(options.url) ? new URL(options.url) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '') {
    throw new Error(`RemoteIdentityModule: url must be like https://id.example.com, not ${options.url}`);
  }
  return { ...options, url: url.origin };
}
