import { createCastellanClient } from 'castellan-client';
import { Can, CastellanProvider, SignedIn, SignedOut, useLogout, useSessions, useUser } from 'castellan-react';
import { LoginForm, RegisterForm } from 'castellan-react/forms';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';

// The page and the service are on the same site, so the browser sends the service's cookies.
const castellan = createCastellanClient({
  baseUrl: import.meta.env.VITE_CASTELLAN_URL ?? 'http://127.0.0.1:4000',
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
      <SignedOut>
        <Guest />
      </SignedOut>
    </CastellanProvider>
  </StrictMode>,
);
