import { createCastellanClient, type User } from 'castellan-client';
import { StrictMode, version, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { LoginForm, RegisterForm, ResetForm, SecondFactorForm, type TypedMethod } from './forms';
import {
  Can,
  CastellanProvider,
  SignedIn,
  SignedInPending,
  SignedOut,
  useClient,
  useLogin,
  usePermission,
  useReauthentication,
  useSecondFactors,
  useUser,
} from './index';

const client = createCastellanClient({ baseUrl: 'https://id.example.com' });
const ann = {
  username: 'ann',
  permissions: [{ scope: 'shop', permission_id: 'order:read', level: 1 }],
  default_scope: 'iam',
  required_levels: [],
} as unknown as User;

function render(children: ReactNode, user?: User | null): string {
  const page = (
    <StrictMode>
      <CastellanProvider client={client} {...(user !== undefined && { user })}>
        {children}
      </CastellanProvider>
    </StrictMode>
  );
  return renderToString(page).replaceAll('<!-- -->', '');
}

function Name(): ReactNode {
  const user = useUser();
  return user === undefined ? 'loading' : (user?.username ?? 'nobody');
}

interface BadgeLogin {
  type: 'badge';
  badge: string;
}

/** Logs in by a method of a host. The type check reads what is never called. */
function Badge(): ReactNode {
  const { logIn, isPending } = useLogin<BadgeLogin>();
  const typed = useClient<never, BadgeLogin>();
  const plain = useLogin();
  const unused = [
    () => logIn({ type: 'badge', badge: '42' }),
    () => logIn({ type: 'password', username: 'ann', password: 'secret' }),
    () => typed.POST('/api/auth/login', { body: { type: 'badge', badge: '42' } }),
    // @ts-expect-error the badge is a text
    () => logIn({ type: 'badge', badge: 42 }),
    // @ts-expect-error the service has no such login method
    () => plain.logIn({ type: 'badge', badge: '42' }),
  ];
  return `${unused.length} calls, ${isPending ? 'pending' : 'idle'}`;
}

function Factors(): ReactNode {
  const { factors, isRequired, problem } = useSecondFactors();
  const { isPending } = useReauthentication();
  return [factors?.length, isRequired, problem?.code, isPending].map(String).join(' ');
}

function testDuties(): void {
  describe('while the user has something to do first', () => {
    it('shows neither content nor a login', () => {
      const page = (
        <>
          <Name />
          <SignedIn> in</SignedIn>
          <SignedOut> out</SignedOut>
          <SignedInPending> pending</SignedInPending>
          <SignedInPending duty="terms"> terms</SignedInPending>
          <SignedInPending duty="mfa_enrolment"> factor</SignedInPending>
          <Can permission="shop:order:read"> reads</Can>
        </>
      );
      const due = { ...ann, pending: 'terms' } as User;
      expect([render(page, due), render(page, ann)]).toEqual(['nobody pending terms', 'ann in reads']);
      const found = { duty: 'terms', user: due } as const;
      const hydrated = (
        <CastellanProvider client={client} user={null} pending={found}>
          <SignedInPending>pending</SignedInPending>
        </CastellanProvider>
      );
      expect(renderToString(hydrated)).toBe('pending');
    });
  });
}

/** The tests of a version of React. */
export function testRendering(major: string): void {
  describe(`on a server with React ${major}`, () => {
    it('runs that version', () => {
      expect(version.split('.')[0]).toBe(major);
    });

    it('shows what the user holds', () => {
      const page = (
        <>
          <Name />
          <Can permission="shop:order:read"> reads</Can>
          <Can permission="shop:order:update" fallback=" only reads">
            {' updates'}
          </Can>
          <Can permission="shop:order:read" level={2} fallback=" at 1" />
        </>
      );
      expect(render(page, ann)).toBe('ann reads only reads at 1');
      expect(render(page, null)).toBe('nobody only reads at 1');
    });

    it('shows neither side until it is known whether a user is logged in', () => {
      const page = (
        <>
          <Name />
          <SignedIn> in</SignedIn>
          <SignedOut> out</SignedOut>
        </>
      );
      expect([render(page, ann), render(page, null), render(page)]).toEqual(['ann in', 'nobody out', 'loading']);
    });

    testDuties();

    it('runs the hooks of logins and second factors, which ask for nothing yet', () => {
      expect(render(<Badge />, null)).toBe('5 calls, idle');
      expect(render(<Factors />, ann)).toBe('undefined false undefined false');
    });

    it('renders the forms in English and Chinese', () => {
      const challenge = { mfa_required: true, mfa_token: 'x', methods: ['totp', 'recovery', 'passkey'] } as const;
      const forms = (language?: 'zh'): string =>
        render(
          <>
            <LoginForm passkeys language={language} />
            <RegisterForm contact="email" language={language} />
            <ResetForm language={language} />
            <SecondFactorForm challenge={{ ...challenge, methods: [...challenge.methods] }} language={language} />
          </>,
          null,
        );
      expect(forms()).toContain('Log in with a passkey');
      expect(forms('zh')).toContain('使用通行密钥登录');
      const labels = Array.from(forms().matchAll(/<label for="([^"]+)">/g), ([, id]) => id);
      expect(new Set(labels).size).toBe(labels.length);
      expect(labels).toHaveLength(10);
    });

    it('offers the login methods of the page at once, in its order', () => {
      const form = (methods: readonly TypedMethod[]): string => render(<LoginForm methods={methods} />, null);
      const tabs = (html: string): string[] =>
        Array.from(html.matchAll(/role="tab" aria-selected="(\w+)"[^>]*>([^<]+)</g), ([, is, name]) => `${name} ${is}`);
      expect(tabs(form(['sms', 'password']))).toEqual(['SMS code true', 'Password false']);
      expect(form(['sms', 'password'])).toContain('autoComplete="one-time-code"');
      expect(tabs(form(['email']))).toEqual([]);
      expect(form(['email'])).toContain('type="email"');
      expect(tabs(render(<LoginForm />, null))).toEqual([]);
    });

    it('keeps what is typed when the service has more than one login method', () => {
      const panel = /<div[^>]*><form/;
      expect(render(<LoginForm methods={['password']} />, null)).toMatch(panel);
      expect(render(<LoginForm methods={['password', 'email']} />, null)).toMatch(panel);
    });

    it('names the missing provider', () => {
      function Asking(): ReactNode {
        return String(usePermission('shop:order:read'));
      }
      const error = jest.spyOn(console, 'error').mockImplementation();
      expect(() => renderToString(<Asking />)).toThrow('<CastellanProvider>');
      error.mockRestore();
    });
  });
}
