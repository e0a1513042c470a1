import { createCastellanClient } from 'castellan-client';
import {
  Can,
  CastellanProvider,
  SignedIn,
  SignedInPending,
  SignedOut,
  useLogout,
  useSecondFactors,
  useSessions,
  useUser,
} from 'castellan-react';
import { LoginForm, RegisterForm } from 'castellan-react/forms';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';

// The page and the service are on the same site, so the browser sends the service's cookies.
const service = import.meta.env.VITE_CASTELLAN_URL ?? 'http://127.0.0.1:4000';
const castellan = createCastellanClient({
  baseUrl: service,
  language: () => document.documentElement.lang,
});

function Sessions() {
  const { sessions = [], end, endOthers, problem } = useSessions();
  return (
    <section>
      <h2>Sessions</h2>
      <ul>
        {sessions.map(({ id, device, current }) => (
          <li key={id}>
            {device.name} {current ? '(this one)' : <button onClick={() => void end(id)}>End</button>}
          </li>
        ))}
      </ul>
      <button onClick={() => void endOthers()}>End the others</button>
      <p role="alert">{problem?.detail}</p>
    </section>
  );
}

function SetUpApp({ beginApp, confirmApp }) {
  const [app, setApp] = useState();
  const [codes, setCodes] = useState();
  const confirm = (event) => {
    event.preventDefault();
    void confirmApp(app.id, new FormData(event.currentTarget).get('code')).then(setCodes);
  };
  if (codes) return <p>Keep these recovery codes: {codes.join(' ')}</p>;
  if (!app) return <button onClick={() => void beginApp().then(setApp)}>Set up an authenticator app</button>;
  return (
    <form method="post" onSubmit={confirm}>
      <p>
        Enter <code>{app.secret}</code> in your app, then the code that it shows.
      </p>
      <label>
        Code of the app <input name="code" inputMode="numeric" autoComplete="one-time-code" />
      </label>
      <button>Confirm the app</button>
    </form>
  );
}

function SecondFactors() {
  const { factors = [], beginApp, confirmApp, remove, problem } = useSecondFactors();
  return (
    <section>
      <h2>Second factors</h2>
      <ul>
        {factors.map(({ id, type, name }) => (
          <li key={id}>
            {name || type} {type !== 'recovery' && <button onClick={() => void remove(id)}>Remove</button>}
          </li>
        ))}
      </ul>
      <SetUpApp {...{ beginApp, confirmApp }} />
      <p role="alert">{problem?.detail}</p>
    </section>
  );
}

function Account() {
  const user = useUser();
  const { logOut } = useLogout();
  return (
    <>
      <h1>Hello, {user?.nickname || user?.username}</h1>
      {/* Appears and disappears within a second when an administrator gives or takes the permission. */}
      <Can permission="report:read" fallback={<p>You have no reports.</p>}>
        <button>Open the report</button>
      </Can>
      <Sessions />
      <SecondFactors />
      <button onClick={() => void logOut()}>Log out</button>
    </>
  );
}

function Guest() {
  const [isNew, setNew] = useState(false);
  return (
    <>
      <h1>You are not logged in.</h1>
      {isNew ? <RegisterForm onRegistered={() => setNew(false)} /> : <LoginForm />}
      <button onClick={() => setNew(!isNew)}>{isNew ? 'I have an account' : 'Create an account'}</button>
    </>
  );
}

createRoot(document.getElementById('root')).render(
  <StrictMode>
    <CastellanProvider client={castellan}>
      <SignedIn>
        <Account />
      </SignedIn>
      <SignedInPending>
        {/* The service's own page asks for a new password, agreement or second factor. */}
        <a href={`${service}/login?logged_in`}>You have something to do first</a>
      </SignedInPending>
      <SignedOut>
        <Guest />
      </SignedOut>
    </CastellanProvider>
  </StrictMode>,
);
